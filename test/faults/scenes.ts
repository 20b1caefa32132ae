import type { Scene } from "./scene.ts";
import { agentScenes, runScenes } from "./scenes-command.ts";
import { hookScenes } from "./scenes-hook.ts";
import { Stage } from "./stage.ts";

export const scenes: readonly Scene[] = [...hookScenes, ...runScenes, ...agentScenes];

export const isHook = (scene: Scene): boolean => hookScenes.includes(scene);

/** A scene's project, ready for its act. */
export async function setScene(scene: Scene, base: string): Promise<Stage> {
  const stage = Stage.make(base, scene.files);
  if (scene.git !== undefined) {
    const repository = stage.repository();
    repository.git("init", "-q", "-b", "main");
    if (scene.git === "spec ignored") repository.write({ ".gitignore": "specs/\n" });
    repository.commit({ "a.txt": "0" }, "before");
  }
  await scene.prepare?.(stage);
  return stage;
}
