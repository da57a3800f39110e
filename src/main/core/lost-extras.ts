import type { Extra, ImageFacts } from '../../shared/jobs/job.ts'
import type { Note, NoteCode } from '../../shared/sentences/reasons.ts'
import type { ServedLoss } from './judge-served.ts'

/** What a person would miss if the original were replaced. The video of a live photo is a separate file and stays. */
const PRECIOUS = ['gain_map', 'depth', 'motion', 'other_views'] as const

const LOST: Record<(typeof PRECIOUS)[number], NoteCode> = {
  gain_map: 'gain_map_lost',
  depth: 'depth_lost',
  motion: 'motion_lost',
  other_views: 'other_views_lost',
}

const LOST_IN_PICTURE: Record<ServedLoss, NoteCode> = { fine_shades: 'fine_shades_lost', profile: 'profile_lost' }

/** Whether a file lacks something valuable that the original has. */
export function losesExtras(original: readonly Extra[], made: readonly Extra[]): boolean {
  return PRECIOUS.some((extra) => original.includes(extra) && !made.includes(extra))
}

/** What the outputs lack of what the original holds besides its pixels, by role, and whether the original is replaced nevertheless. */
export function notesOnExtras(work: {
  image: Pick<ImageFacts, 'extras'>
  staged: readonly { role: 'optimized' | 'converted'; extras: readonly Extra[] }[]
  losses: readonly ServedLoss[]
  wantsReplace: boolean
  replacesOriginal: boolean
}): Note[] {
  const { staged, wantsReplace, replacesOriginal } = work
  const original = work.image.extras
  const optimized = staged.find(({ role }) => role === 'optimized')
  const notes: Note[] = []
  for (const extra of PRECIOUS) {
    const lacking = original.includes(extra) ? staged.filter(({ extras }) => !extras.includes(extra)) : []
    const [first] = lacking
    if (first !== undefined) notes.push({ code: LOST[extra], detail: lacking.length > 1 ? 'both' : first.role })
  }
  if (optimized === undefined) return notes
  notes.push(...work.losses.map((loss): Note => ({ code: LOST_IN_PICTURE[loss], detail: null })))
  if (!wantsReplace) return notes
  const { extras } = optimized
  if (replacesOriginal && original.includes('live_photo') && !extras.includes('live_photo'))
    notes.push({ code: 'live_photo_unlinked', detail: null })
  if (work.losses.length > 0 || losesExtras(original, extras))
    notes.push({ code: replacesOriginal ? 'lost_in_replacement' : 'original_not_replaced', detail: null })
  return notes
}
