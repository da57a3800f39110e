import { readOwnSentence } from '../../shared/own-sentences.ts'

export type Cap = 'perDay' | 'perMonth' | 'perFolderPerDay'

const CAPS: Partial<Record<string, Cap>> = {
  cap_per_day: 'perDay',
  cap_per_month: 'perMonth',
  cap_per_folder: 'perFolderPerDay',
}

/** Which cap a hold of the spend guard speaks of; null for none of them. */
export function capOf(detail: string | null): Cap | null {
  return CAPS[readOwnSentence(detail ?? '')?.name ?? ''] ?? null
}
