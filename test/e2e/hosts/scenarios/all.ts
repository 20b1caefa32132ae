import type { ScenarioName } from "../behaviours.ts";
import { authority } from "./authority.ts";
import { busy, corrupt, talker } from "./bounds.ts";
import { clone } from "./clone.ts";
import { documents } from "./documents.ts";
import { groupAndWall, longRun } from "./run.ts";
import type { Scenario } from "./scenario.ts";
import { bystander, killed, pausing } from "./users.ts";

export const scenarios: Readonly<Record<ScenarioName, Scenario>> = {
  "a long run": longRun,
  "an agent that would be its own user": authority,
  "a user who pauses, chats, resumes and cancels": pausing,
  "an agent that only talks": talker,
  "an agent that is busy without progress": busy,
  "a state that turns corrupt": corrupt,
  "a bystander": bystander,
  "a group and a wall": groupAndWall,
  "a client that is killed": killed,
  "a clone with a run in it": clone,
  "a goal and its first document": documents,
};
