import type { Note, NoteCode } from '../../shared/sentences/reasons.ts'

/** Notes on how a picture was processed, as expected of such a picture; all others say what is missing. */
const EXPECTED: ReadonlySet<NoteCode> = new Set<NoteCode>([
  'analyzed_only',
  'animation_kept',
  'animation_described_only',
  'animation_may_be_lost',
  'figures_only',
  'nothing_to_convert',
  'published_from_kept_result',
  'sent_downscaled',
  'sent_converted',
])

/** The note that a list shows in place of all; null without one. */
export function foremostNote(notes: readonly Note[]): Note | null {
  return notes.find(({ code }) => !EXPECTED.has(code)) ?? notes[0] ?? null
}
