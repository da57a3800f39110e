export type Cap = 'perDay' | 'perMonth' | 'perFolderPerDay'

/** Which cap a hold of the spend guard speaks of (src/main/core/spend-guard.ts, `describeHold`); null for none of them. */
export function capOf(detail: string | null): Cap | null {
  const words = /pictures (a day in this folder|a month|a day) are used up/.exec(detail ?? '')?.[1]
  if (words === undefined) return null
  return words === 'a month' ? 'perMonth' : words === 'a day' ? 'perDay' : 'perFolderPerDay'
}
