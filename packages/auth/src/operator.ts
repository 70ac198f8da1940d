/** The operator's command, for programs that supply its environment and output. Does not load the server. */
export { OPERATOR_VARIABLES } from "./operator/env.ts";
export {
  type OperatorRun,
  runOperatorCommand,
  type TextSink,
} from "./operator/run-operator-command.ts";
