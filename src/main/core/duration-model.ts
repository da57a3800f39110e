import { z } from 'zod'

/*
 * How long jobs take at the service, learned per operation. "Age" is the time from the 202 to the moment a poll is sent; a job's duration is
 * the least age at which a poll finds it ended.
 *
 * Polls only bracket a duration, so each observation is spread over the bins of its bracket in proportion to what is believed so far (one step
 * of Turnbull's self-consistent estimate), and all older weight fades a little.
 */

const FIRST_EDGE_MS = 200
const EDGE_RATIO = 1.1
/** Up to two hours; what is longer lands in one open bin at the end. */
const CLOSED_BINS = 111
const BINS = CLOSED_BINS + 1

/** Weight of all that was observed when much was observed: the last thirty or so jobs decide. */
const MEMORY_JOBS = 30
/** Before anything was seen: a median of 8 s, and one job in twenty over 40 s. */
const PRIOR_MEDIAN_MS = 8000
const PRIOR_SIGMA = 1
/** The prior counts as this many jobs at first … */
const PRIOR_JOBS = 2
/** … less with every job seen … */
const PRIOR_FADE = 0.6
/** … and never as less than this, so that nothing is ever held impossible. */
const PRIOR_FLOOR_JOBS = 0.3

/** Jobs that have not ended count until this many that ended are remembered: by then both ends of the durations are among those. */
const OPEN_COUNTS_BELOW = 20

const LearnedOperation = z.object({
  /** One weight a bin, in jobs. */
  weights: z.array(z.number().nonnegative()).length(BINS),
  /** Weight left of the prior, in jobs. */
  priorJobs: z.number().nonnegative(),
})
type LearnedOperation = z.infer<typeof LearnedOperation>

const UNLEARNED: LearnedOperation = { weights: Array<number>(BINS).fill(0), priorJobs: PRIOR_JOBS }

/** Kept as one small JSON text; a state of another shape is dropped, and learning starts over. */
export const DurationModelState = z.object({
  version: z.literal(1),
  operations: z.record(z.string(), LearnedOperation),
})
export type DurationModelState = z.infer<typeof DurationModelState>

/** What the polls of one job showed. */
export interface DurationObservation {
  /** The greatest age at which a poll found it not ended; 0 when there was no such poll. */
  notDoneAtAgeMs: number
  /** The age of the poll that found it ended. */
  doneAtAgeMs: number
}

export class DurationModel {
  readonly #learned = new Map<string, LearnedOperation>()
  readonly #cumulative = new Map<string, readonly number[]>()
  readonly #observed = new Map<string, number>()

  constructor(state: DurationModelState | null = null) {
    for (const [operation, learned] of Object.entries(state?.operations ?? {})) {
      this.#learned.set(operation, { weights: [...learned.weights], priorJobs: learned.priorJobs })
    }
  }

  observe(operation: string, { notDoneAtAgeMs, doneAtAgeMs }: DurationObservation): void {
    const fromMs = Math.max(0, notDoneAtAgeMs)
    const shares = this.#sharesOf(operation, fromMs, Math.max(doneAtAgeMs, fromMs))
    const learned = this.#learned.get(operation) ?? UNLEARNED
    const fade = 1 - 1 / MEMORY_JOBS
    this.#learned.set(operation, {
      weights: learned.weights.map((weight, bin) => weight * fade + (shares[bin] ?? 0)),
      priorJobs: learned.priorJobs * PRIOR_FADE,
    })
    this.#cumulative.delete(operation)
    this.#observed.delete(operation)
  }

  /** What is believed while these jobs have not ended: without them only jobs that happened to end soon would count at first. */
  whileOpen(open: readonly { operation: string; ageMs: number }[]): DurationModel {
    const counted = open.filter(({ operation }) => this.observedJobs(operation) < OPEN_COUNTS_BELOW)
    if (counted.length === 0) return this
    const belief = new DurationModel()
    for (const [operation, learned] of this.#learned) belief.#learned.set(operation, learned)
    for (const { operation } of counted) belief.#observed.set(operation, this.observedJobs(operation))
    for (const { operation, ageMs } of counted.toSorted((a, b) => a.ageMs - b.ageMs)) {
      const shares = belief.#sharesOf(operation, ageMs, Infinity)
      const { weights, priorJobs } = belief.#learned.get(operation) ?? UNLEARNED
      const added = weights.map((weight, bin) => weight + shares[bin]!)
      belief.#learned.set(operation, { weights: added, priorJobs })
      belief.#cumulative.delete(operation)
    }
    return belief
  }

  /** How many jobs the model remembers, old ones faded: 0 before the first, at most about thirty. */
  observedJobs(operation: string): number {
    const known = this.#observed.get(operation)
    if (known !== undefined) return known
    const jobs = this.#learned.get(operation)?.weights.reduce((sum, weight) => sum + weight, 0) ?? 0
    this.#observed.set(operation, jobs)
    return jobs
  }

  /** The share of jobs that have ended at this age, 0 to 1. */
  doneBy(operation: string, ageMs: number): number {
    return interpolate(this.#cumulativeOf(operation), ageMs)
  }

  /** The probability that a job not ended at `fromMs` has ended at `toMs`. */
  endsBetween(operation: string, fromMs: number, toMs: number): number {
    const before = this.doneBy(operation, fromMs)
    if (before >= 1) return 1
    return Math.max(0, (this.doneBy(operation, toMs) - before) / (1 - before))
  }

  /** The age at which a share `p` of all jobs have ended; Infinity beyond what the model can tell. */
  quantileMs(operation: string, p: number): number {
    return this.conditionalQuantileMs(operation, 0, p)
  }

  /** The age at which a share `p` of the jobs that had not ended at `ageMs` have ended. */
  conditionalQuantileMs(operation: string, ageMs: number, p: number): number {
    const cumulative = this.#cumulativeOf(operation)
    const before = interpolate(cumulative, ageMs)
    return Math.max(ageMs, inverse(cumulative, before + p * (1 - before)))
  }

  /**
   * The age, at most `untilMs`, at which a poll of a job that had not ended at `fromMs` costs least: the wait until then, and, if it has not
   * ended, a call worth `callMs` and a wait as long as its age. The cost is concave between two edges of the histogram.
   */
  cheapestPollMs(operation: string, fromMs: number, untilMs: number, callMs: number): number {
    const cumulative = this.#cumulativeOf(operation)
    const open = 1 - interpolate(cumulative, fromMs)
    if (open <= 1e-9) return untilMs
    const costAt = (ageMs: number, done: number): number => ageMs + ((1 - done) / open) * (callMs + ageMs)
    let cheapestMs = untilMs
    let least = untilMs === Infinity ? Infinity : costAt(untilMs, interpolate(cumulative, untilMs))
    for (let bin = binOf(fromMs); bin < CLOSED_BINS && upperEdgeMs(bin) < untilMs; bin += 1) {
      const cost = costAt(upperEdgeMs(bin), cumulative[bin] ?? 1)
      if (upperEdgeMs(bin) > fromMs && cost < least) [cheapestMs, least] = [upperEdgeMs(bin), cost]
    }
    return cheapestMs
  }

  state(): DurationModelState {
    const operations: DurationModelState['operations'] = {}
    for (const [operation, { weights, priorJobs }] of this.#learned) {
      operations[operation] = { weights: weights.map(rounded), priorJobs: rounded(priorJobs) }
    }
    return { version: 1, operations }
  }

  /** One job, spread over the bins between two ages by what is believed of them; evenly if nothing is. */
  #sharesOf(operation: string, fromMs: number, toMs: number): number[] {
    const cumulative = this.#cumulativeOf(operation)
    const low = interpolate(cumulative, fromMs)
    const mass = interpolate(cumulative, toMs) - low
    const only = binOf(Number.isFinite(toMs) ? toMs : fromMs)
    if (mass <= 1e-9) return cumulative.map((_, bin) => (bin === only ? 1 : 0))
    return cumulative.map((upper, bin) => {
      const lower = bin === 0 ? 0 : (cumulative[bin - 1] ?? 0)
      const fromHere = interpolateClamped(lower, upper, bin, fromMs)
      const toHere = interpolateClamped(lower, upper, bin, toMs)
      return Math.max(0, toHere - fromHere) / mass
    })
  }

  #cumulativeOf(operation: string): readonly number[] {
    const known = this.#cumulative.get(operation)
    if (known !== undefined) return known
    const learned = this.#learned.get(operation)
    const priorJobs = Math.max(PRIOR_FLOOR_JOBS, learned?.priorJobs ?? PRIOR_JOBS)
    const weights = PRIOR_SHARES.map((share, bin) => share * priorJobs + (learned?.weights[bin] ?? 0))
    const total = weights.reduce((sum, weight) => sum + weight, 0)
    let sum = 0
    const cumulative = weights.map((weight) => (sum += weight / total))
    this.#cumulative.set(operation, cumulative)
    return cumulative
  }
}

/** Upper edges of the bins; the open bin ends nowhere. A table, since the planner asks for edges all the time. */
const UPPER_EDGES_MS: readonly number[] = Array.from({ length: BINS }, (_, bin) =>
  bin === CLOSED_BINS ? Infinity : FIRST_EDGE_MS * EDGE_RATIO ** bin,
)

function upperEdgeMs(bin: number): number {
  return UPPER_EDGES_MS[bin]!
}

function lowerEdgeMs(bin: number): number {
  return bin === 0 ? 0 : upperEdgeMs(bin - 1)
}

function binOf(ageMs: number): number {
  if (ageMs <= FIRST_EDGE_MS) return 0
  return Math.min(CLOSED_BINS, Math.ceil(Math.log(ageMs / FIRST_EDGE_MS) / Math.log(EDGE_RATIO) - 1e-9))
}

/** The cumulative share at an age within one bin, where the share rises evenly; the open bin only rises at its end. */
function interpolateClamped(lower: number, upper: number, bin: number, ageMs: number): number {
  const fromMs = lowerEdgeMs(bin)
  const toMs = upperEdgeMs(bin)
  if (ageMs <= fromMs) return lower
  if (ageMs >= toMs) return upper
  return toMs === Infinity ? lower : lower + ((upper - lower) * (ageMs - fromMs)) / (toMs - fromMs)
}

function interpolate(cumulative: readonly number[], ageMs: number): number {
  const bin = binOf(ageMs)
  return interpolateClamped(bin === 0 ? 0 : (cumulative[bin - 1] ?? 0), cumulative[bin] ?? 1, bin, ageMs)
}

function inverse(cumulative: readonly number[], p: number): number {
  let low = 0
  let high = CLOSED_BINS
  while (low < high) {
    const middle = (low + high) >> 1
    if ((cumulative[middle] ?? 1) >= p) high = middle
    else low = middle + 1
  }
  if (low >= CLOSED_BINS) return Infinity
  const lower = low === 0 ? 0 : (cumulative[low - 1] ?? 0)
  const share = (cumulative[low] ?? 1) - lower || 1
  const within = Math.min(1, Math.max(0, (p - lower) / share))
  return lowerEdgeMs(low) + within * (upperEdgeMs(low) - lowerEdgeMs(low))
}

/** Five digits are plenty for a weight and keep the stored text small. */
function rounded(value: number): number {
  return Math.round(value * 1e5) / 1e5
}

/** Log-normal, per bin. The logistic curve stands in for the normal one: they differ by less than 0.01. */
function priorShares(): number[] {
  const doneBy = (ageMs: number): number =>
    ageMs === Infinity
      ? 1
      : ageMs <= 0
        ? 0
        : 1 / (1 + Math.exp((-1.702 * Math.log(ageMs / PRIOR_MEDIAN_MS)) / PRIOR_SIGMA))
  return Array.from({ length: BINS }, (_, bin) => doneBy(upperEdgeMs(bin)) - doneBy(lowerEdgeMs(bin)))
}

const PRIOR_SHARES: readonly number[] = priorShares()
