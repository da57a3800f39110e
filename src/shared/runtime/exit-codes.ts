/** Exit status of the `hangar` command. */
export const ExitCode = {
  ok: 0,
  someNotDone: 1,
  usage: 2,
  key: 3,
  credits: 4,
  dataFolderInUse: 5,
  unreachable: 6,
  /** `status --check` found something that needs a person. */
  needsAttention: 7,
  internal: 70,
  tooFewFiles: 71,
  interrupted: 130,
} as const
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode]
