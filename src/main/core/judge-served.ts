import { say, type Sentence } from '../../shared/sentences/sentence.ts'
import type { Size } from './likeness.ts'

/** What decides, besides its pixels, how a file is shown. */
export interface PictureFacts {
  /** Of a frame, as it is stored. */
  size: Size
  /** 1 to 8: how programs turn what is stored. */
  orientation: number
  frames: number
  /** Some of it is transparent, and not only may be. */
  isTransparent: boolean
  /** Its numbers have 16 bits, and need them. */
  isDeep: boolean
  isCmyk: boolean
  hasProfile: boolean
  /** A PNG whose `gAMA` changes what its numbers mean. */
  hasGamma: boolean
}

/** One way to look at the two files, and how different they are then. */
export interface Match extends View {
  /** As they are shown, in the colours that their profiles give them. */
  shown: number
  /** Number by number, whatever the numbers mean; null where they cannot be compared. */
  numbers: number | null
}

/** The orientation in which each is looked at. */
interface View {
  original: number
  served: number
}

export type ServedLoss = 'fine_shades' | 'profile'

/** `fits`: with this orientation, which has to be put back if it has another, and perhaps with profile or `gAMA` of its original. */
export type Judgement =
  { fits: true; orientation: number; putsProfileBack: boolean; losses: ServedLoss[] } | { fits: false; why: Sentence }

/** A smaller copy was sent instead of the original; its size where that is known. */
export type SentCopy = { size: Size | null } | null

/** Differences of honest results are below this, and those of other pictures above it (bench/results/pictures-judged.md). */
export const MAX_DIFFERENCE = 0.4
/** Printing inks are shown in as many ways as there are programs. */
const MAX_DIFFERENCE_IN_INK = 0.9
/** With fewer colours, the averages of a picture like noise move further, if the colours stand for those of the original. */
export const MAX_DIFFERENCE_IN_FEW_COLOURS = 0.7
const MAX_SHIFT = 0.1
/** Compressors leave nothing of what has fewer pixels than a block of a JPEG. */
const MIN_COMPARED_PIXELS = 64
/** One of two explanations counts when the other is this much worse. */
const CLEARLY = 0.6

function sizeShown({ width, height }: Size, orientation: number): Size {
  return orientation >= 5 ? { width: height, height: width } : { width, height }
}

/** The views that give the served file the size it should have: as it is first, and then as if an orientation had got lost. */
export function viewsThatFit(
  original: Pick<PictureFacts, 'size' | 'orientation'>,
  served: Pick<PictureFacts, 'size' | 'orientation'>,
  { copy, alsoTurned }: { copy: SentCopy; alsoTurned: number | null },
): View[] {
  const ofServed = [...new Set([served.orientation, original.orientation, 1])]
  const plain = ofServed.map((by) => ({ original: original.orientation, served: by }))
  const views = alsoTurned === null ? plain : [...plain, { original: alsoTurned, served: served.orientation }]
  return views.filter((view) =>
    isRightSize(sizeShown(original.size, view.original), sizeShown(served.size, view.served), copy),
  )
}

function isRightSize(original: Size, served: Size, copy: SentCopy): boolean {
  const wanted = copy === null ? original : copy.size
  if (wanted !== null) return served.width === wanted.width && served.height === wanted.height
  const isNear = (one: number, other: number): boolean => Math.abs(one - other) <= 1
  const { width, height } = served
  return (
    width <= original.width &&
    (isNear(height, (original.height * width) / original.width) ||
      isNear(width, (original.width * height) / original.height))
  )
}

/** `shift`: how far the colours of a file with few of them are from those that they stand for; null for others. Pure. */
export function judgeServed(
  original: PictureFacts,
  served: PictureFacts,
  { matches, gap, shift, copy }: { matches: readonly Match[]; gap: number; shift: number | null; copy: SentCopy },
): Judgement {
  const asItIs = matches[0]
  if (asItIs === undefined) {
    const wanted = copy?.size ?? sizeShown(original.size, original.orientation)
    return {
      fits: false,
      why: say('served_size', {
        size: inWords(sizeShown(served.size, served.orientation)),
        wanted: inWords(wanted),
      }),
    }
  }
  if (served.frames > original.frames)
    return { fits: false, why: say('served_frames', { frames: served.frames, wanted: original.frames }) }
  if (original.isTransparent && !served.isTransparent) return { fits: false, why: say('served_opaque') }
  const nearest = matches.toSorted((a, b) => least(a) - least(b))[0]!
  const isTurnedBack = asItIs !== nearest && least(nearest) < least(asItIs) * CLEARLY
  const match = isTurnedBack ? nearest : asItIs
  const isReduced = match === asItIs && shift !== null && shift <= MAX_SHIFT
  const inRgb = isReduced ? MAX_DIFFERENCE_IN_FEW_COLOURS : MAX_DIFFERENCE
  const most = original.isCmyk ? MAX_DIFFERENCE_IN_INK : inRgb
  const { width, height } = original.size
  if (width * height >= MIN_COMPARED_PIXELS && least(match) > most)
    return { fits: false, why: say('served_other_picture') }
  const colours = judgeColours(original, served, match, gap)
  const losses: ServedLoss[] = [
    ...(original.isDeep && !served.isDeep ? (['fine_shades'] as const) : []),
    ...(colours === 'lost' ? (['profile'] as const) : []),
  ]
  return { fits: true, orientation: match.served, putsProfileBack: colours === 'put back', losses }
}

/** How different the two are where either explanation of their numbers may be right. */
export const least = ({ shown, numbers }: Match): number => Math.min(shown, numbers ?? shown)

const inWords = ({ width, height }: Size): string => `${width} × ${height}`

/** The difference between two readings of the original below which neither is wrong. */
const SAME_LOOK = 0.05

/** Whether the numbers of the two mean the same. `gap`: how different the original is from itself without its profile. */
function judgeColours(
  original: PictureFacts,
  served: PictureFacts,
  { shown, numbers }: Match,
  gap: number,
): 'right' | 'put back' | 'lost' {
  if (numbers === shown) return 'right'
  if (original.hasGamma) return numbers !== null && numbers < shown ? 'put back' : 'right'
  if (!original.hasProfile || numbers === null) return shown <= MAX_DIFFERENCE ? 'right' : 'lost'
  if (gap <= SAME_LOOK) return served.hasProfile || shown < numbers ? 'right' : 'put back'
  if (numbers < shown * CLEARLY) return 'put back'
  return shown < numbers * CLEARLY && shown <= MAX_DIFFERENCE ? 'right' : 'lost'
}
