/** What was asked of the system, in order; the test reads it over the control channel. */
export interface RecordedCall {
  what: string
  args: unknown[]
}

export const recorded: RecordedCall[] = []

export function record(what: string, ...args: unknown[]): void {
  recorded.push({ what, args: args.map(plain) })
}

/** What crosses to the test is JSON: functions and objects of the stand-in become their names. */
function plain(value: unknown): unknown {
  if (value === undefined) return null
  return JSON.parse(
    JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'function' ? '[function]' : inner)),
  ) as unknown
}
