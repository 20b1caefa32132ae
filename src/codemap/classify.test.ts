import { assert, property, string } from "fast-check";
import { describe, expect, it } from "vitest";
import { CATEGORIES, classify, isOutputFolder } from "./classify.ts";

describe("classify", () => {
  it.each<[path: string, category: string | undefined]>([
    ["app/controllers/users_controller.rb", "controllers"],
    ["src/UsersController.cs", "controllers"],
    ["src/http/handlers/login.go", "controllers"],
    ["shop/views.py", "controllers"],
    ["src/routes/index.ts", "routes"],
    ["shop/urls.py", "routes"],
    ["app/api/login/route.ts", "routes"],
    ["pages/api/login.ts", "routes"],
    ["src/app/user.service.ts", "services"],
    ["src/services/mail.py", "services"],
    ["app/models/user.rb", "models"],
    ["src/entities/order.java", "models"],
    ["db/migrate/20240101_add_users.rb", "migrations"],
    ["migrations/0001_first.sql", "migrations"],
    ["src/components/Button.tsx", "components"],
    ["src/App.vue", "components"],
    ["src/Page.tsx", "components"],
    ["src/lib/useSession.ts", "hooks"],
    ["src/hooks/session.ts", "hooks"],
    ["hooks/pre-commit.sh", "scripts"],
    ["src/components/thing.go", "source"],
    ["src/string_utils.py", "helpers"],
    ["src/helpers/dates.php", "helpers"],
    ["scripts/build.ts", "scripts"],
    ["bin/run", undefined],
    ["install.sh", "scripts"],
    ["package.json", "config"],
    ["packages/a/tsconfig.build.json", "config"],
    ["vite.config.ts", "config"],
    [".eslintrc.json", "config"],
    ["Dockerfile", "config"],
    ["deploy/Dockerfile.prod", "config"],
    [".github/workflows/ci.yml", "config"],
    ["requirements-dev.txt", "config"],
    ["src/user.test.ts", "tests"],
    ["src/user.controller.spec.ts", "tests"],
    ["pkg/user_test.go", "tests"],
    ["tests/test_user.py", "tests"],
    ["test_user.py", "tests"],
    ["src/UserServiceTest.java", "tests"],
    ["spec/user_spec.rb", "tests"],
    ["test/readme.md", "tests"],
    ["src/latest.ts", "source"],
    ["src/Contest.java", "source"],
    ["README.md", "docs"],
    ["docs/notes.txt", "docs"],
    ["src/main.rs", "source"],
    ["src\\main.rs", "source"],
    ["notes.txt", undefined],
    ["data/cities.json", undefined],
    ["logo.png", undefined],
    ["LICENSE", undefined],
    ["package-lock.json", undefined],
    ["pnpm-lock.yaml", undefined],
    [".env", undefined],
    [".env.production", undefined],
    [".env.example", "config"],
    ["public/app.min.js", undefined],
    ["api/thing.pb.go", undefined],
    ["node_modules/a/index.js", undefined],
    ["packages/a/node_modules/b/index.js", undefined],
    ["plugin/dist/cli.cjs", undefined],
    ["vendor/lib/a.php", undefined],
    ["", undefined],
  ])("%s: %s", (path, category) => {
    expect(classify(path)).toBe(category);
  });

  it("handles every name", () => {
    assert(
      property(string({ unit: "grapheme" }), (path) =>
        [undefined, ...CATEGORIES].includes(classify(path)),
      ),
    );
  });
});

it.each([
  ["node_modules", true],
  ["build", true],
  ["target", true],
  [".cache", true],
  ["src", false],
  ["builder", false],
])("isOutputFolder(%s) is %s", (name, expected) => {
  expect(isOutputFolder(name)).toBe(expected);
});
