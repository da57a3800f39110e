import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { ESTIMATE_CASES, measureEstimates } from './estimates.ts'
import { BEGINNINGS, firstMinutes, logNormal, meanAndWorst, SHAPES, spread, type FirstMinutes } from './first-minute.ts'
import { DurationModel } from '../../src/main/core/duration-model.ts'
import {
  CURVE_MINUTES,
  measureBacklog,
  measureBatches,
  measureLone,
  measureOperations,
  measurePerson,
  measureSlowLine,
  measureTrickle,
  SEEDS,
} from './measure.ts'
import { finishFirstClairvoyant, knowsDistribution } from './policies.ts'
import { LOG_NORMAL, OPERATION_MIXES, WORKLOADS } from './workloads.ts'

/*
 * How near the poll planner comes to a client that knows when each job ends. All in virtual time, so the figures are the
 * same on every machine. `node bench/rate/main.ts [--json FILE]`
 */

const { values } = parseArgs({ options: { json: { type: 'string' } } })

function table(title: string, head: string[], rows: (string | number)[][]): void {
  const line = (cells: (string | number)[]): string => `| ${cells.join(' | ')} |`
  console.log(`\n### ${title}\n`)
  console.log([line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n'))
}

/** Quantiles of the durations at which a client that knows them polls first. */
const REACHABLE = [0.8, 0.85, 0.88, 0.9, 0.93]

const fixed = (value: number, digits = 2): string => value.toFixed(digits)

console.log('## Rate budget and poll planner\n')
console.log(
  `60 requests a minute; 500 images; fixed-window server. Seeds ${SEEDS.backlog.join(', ')} (backlog), from ` +
    `${SEEDS.batchFrom} (batches), from ${SEEDS.loneFrom} (lone images). Uploads 0.2-1 s, ways 25-150 ms each, downloads 50-300 ms.`,
)

const backlog = WORKLOADS.flatMap((workload) => measureBacklog(workload))
table(
  'A backlog of 500, the model cold at the start (mean of the seeds)',
  [
    'jobs',
    'policy',
    'images/min',
    'of clairvoyant',
    'least',
    'polls/image',
    '429s',
    'most in 60 s',
    'worst 5 min after the first, images/min',
  ],
  backlog.map((row) => [
    row.workload,
    row.policy,
    fixed(row.imagesPerMinute, 1),
    fixed(row.ofClairvoyant),
    fixed(row.leastOfClairvoyant),
    fixed(row.pollsPerImage),
    row.refused,
    row.mostInTrailingMinute,
    fixed(row.worstSteadyPerMinute, 1),
  ]),
)

const seconds = (ms: number): string => fixed(ms / 1000, ms < 10_000 ? 1 : 0)
table(
  'The same backlog as a stream: results over time, and what hangs in the air',
  [
    'jobs',
    'policy',
    'first result s',
    ...CURVE_MINUTES.map((minutes) => `after ${minutes} min`),
    'to each result',
    'sent to file, median s',
    'mean s',
    'p95 s',
    'most in flight',
  ],
  backlog.map((row) => [
    row.workload,
    row.policy,
    seconds(row.firstResultMs),
    ...row.curve.map((done) => fixed(done, 0)),
    fixed(row.toEachResult),
    ...[row.inFlightMs.median, row.inFlightMs.mean, row.inFlightMs.p95].map(seconds),
    row.mostInFlight,
  ]),
)

const operations = OPERATION_MIXES.flatMap(measureOperations)
table(
  'Each operation by itself, and mixed: a backlog of 500 log-normal jobs',
  [
    'operation',
    'policy',
    'calls/image at least',
    'bound, images/min',
    'images/min',
    'of the bound',
    '… without the first and last tenth',
    'polls/image',
    '429s',
    'sent to result, median s',
    'most in flight',
  ],
  operations.map((row) => [
    row.mix,
    row.policy,
    row.callsPerImage,
    fixed(row.bound, 0),
    fixed(row.imagesPerMinute, 1),
    fixed(row.ofBound),
    fixed(row.steadyOfBound),
    fixed(row.pollsPerImage),
    row.refused,
    seconds(row.inFlightMs.median),
    row.mostInFlight,
  ]),
)

const batches = [
  ...WORKLOADS.map((workload) => measureBatches(workload, 15)),
  ...[30, 60, 150].map((count) => measureBatches(LOG_NORMAL, count)),
]
table(
  `Batches, time against the clairvoyant's (${SEEDS.batches} batches each)`,
  ['jobs', 'images', 'mean', 'median', 'p95', 'to each result', 'first batch ever: median', 'p95', '429s'],
  batches.map((row) => [
    row.workload,
    row.count,
    ...[row.warm.mean, row.warm.median, row.warm.p95, row.toEachResult, row.cold.median, row.cold.p95].map((value) =>
      fixed(value),
    ),
    row.refused,
  ]),
)

const estimates = WORKLOADS.flatMap((workload) =>
  ESTIMATE_CASES.map(({ name, options }) => {
    const runs = SEEDS.backlog.map((seed) => ({ ...options, workload, seed }))
    return { workload: workload.name, name, ...measureEstimates(runs) }
  }),
)
table(
  'What is said to be left after each result from the tenth on, against what was left',
  ['jobs', 'images', 'values', 'off by more than 15 % and 10 s', 'off by, median', 'times it grew'],
  estimates.map((row) => [
    row.workload,
    row.name,
    row.values,
    `${fixed(100 * row.shareOff, 0)} %`,
    `${fixed(100 * row.medianError, 0)} %`,
    row.grew,
  ]),
)

const trickle = [3000, 10_000].map((everyMs) => measureTrickle(LOG_NORMAL, everyMs))
table(
  'A trickle: images that come one by one',
  ['jobs', 'one every s', 'sent to file, median s', 'p95 s', 'most in flight', 'polls/image'],
  trickle.map((row) => [
    row.workload,
    row.everyMs / 1000,
    seconds(row.inFlightMs.median),
    seconds(row.inFlightMs.p95),
    row.mostInFlight,
    fixed(row.pollsPerImage),
  ]),
)

const FIRST_HEAD = ['first result s', 'after 1 min', 'after 4 min', 'sent to file, median s', 'most in flight', '429s']
const MEAN_AND_WORST = 'the mean of the seeds, and of their worst tenth'
const firstMinute = [
  ...[0.35, 0.6, 1].map((sigma) => ({ workload: spread(sigma), beginning: BEGINNINGS[1]!, seeds: 200 })),
  ...SHAPES.flatMap((workload) => BEGINNINGS.map((beginning) => ({ workload, beginning, seeds: 40 }))),
].map(({ workload, beginning, seeds }) => ({
  jobs: workload.name,
  pictures: beginning.name,
  runs: seedsUpTo(seeds).map((seed) => firstMinutes(workload, beginning, seed)),
}))
table(
  `The first minutes of 108 pictures, nothing learned yet: ${MEAN_AND_WORST}`,
  ['jobs', 'pictures', 'seeds', ...FIRST_HEAD],
  firstMinute.map(({ jobs, pictures, runs }) => [jobs, pictures, runs.length, ...firstCells(runs)]),
)

const reachable = [
  finishFirstClairvoyant,
  ...REACHABLE.map((success) => () => knowsDistribution(logNormal(1), success)),
].map((policy) => ({
  policy: policy().name,
  runs: seedsUpTo(200).map((seed) => firstMinutes(spread(1), BEGINNINGS[1]!, seed, policy())),
}))
table(
  `What could be reached with sigma 1, pictures read one by one: ${MEAN_AND_WORST}`,
  ['policy', ...FIRST_HEAD],
  reachable.map(({ policy, runs }) => [policy, ...firstCells(runs)]),
)

const firstLimits = [600, 20, 6].flatMap((limit) =>
  [0.35, 0.6, 1].map((sigma) => ({
    limit,
    sigma,
    runs: seedsUpTo(4).map((seed) => firstMinutes(spread(sigma), BEGINNINGS[1]!, seed, undefined, limit)),
  })),
)
table(
  `The first minutes at other limits, as many pictures as take as long, read one by one (4 seeds)`,
  ['requests a minute', 'sigma', ...FIRST_HEAD],
  firstLimits.map(({ limit, sigma, runs }) => [limit, sigma, ...firstCells(runs)]),
)

function seedsUpTo(last: number): number[] {
  return Array.from({ length: last }, (_, index) => index + 1)
}

function firstCells(runs: readonly FirstMinutes[]): (string | number)[] {
  const both = (figure: keyof FirstMinutes, unit = 1): string => {
    const { mean, worst } = meanAndWorst(runs, figure)
    return `${fixed(mean / unit, 1)} / ${fixed(worst / unit, 1)}`
  }
  const refused = runs.reduce((sum, run) => sum + run.refused, 0)
  const counts = [both('inOneMinute'), both('inFourMinutes'), both('inFlightMs', 1000), both('mostInFlight')]
  return [both('firstResultMs', 1000), ...counts, refused]
}

const lone = WORKLOADS.map((workload) => measureLone(workload))
table(
  `A lone image, from done to noticed (${SEEDS.lone} runs each); share: of the greater of 0.5 s and 10 % of its duration`,
  [
    'jobs',
    'median s',
    'p95 s',
    'share, median (≤ 1)',
    'share, p95 (≤ 2)',
    'calls, median',
    'first image ever: median',
    'p95',
  ],
  lone.map((row) => [
    row.workload,
    ...[row.delayMs.median / 1000, row.delayMs.p95 / 1000, row.share.median, row.share.p95].map((value) =>
      fixed(value),
    ),
    row.callsMedian,
    fixed(row.coldShare.median),
    fixed(row.coldShare.p95),
  ]),
)

const person = measurePerson(LOG_NORMAL)
table(
  'Calls that a person waits for, one or two at once, every 40 s during the log-normal backlog',
  ['slots kept for a person', 'calls at once', 'wait median s', 'p95 s', 'longest s', 'images/min'],
  person.map((row) => [
    row.reserve ? '2, lent' : 'none',
    row.calls,
    ...[row.waitMs.median / 1000, row.waitMs.p95 / 1000, row.waitMs.max / 1000, row.imagesPerMinute].map((value) =>
      fixed(value),
    ),
  ]),
)

const slowLine = [10, 30].flatMap((uploadS) => [4, 20].map((atATime) => measureSlowLine(LOG_NORMAL, uploadS, atATime)))
table(
  'The log-normal backlog on a slow line',
  ['an upload takes s', 'uploads at a time', 'images/min', 'most in flight'],
  slowLine.map((row) => [row.uploadS, row.uploadsAtATime, fixed(row.imagesPerMinute, 1), row.mostInFlight]),
)

console.log(`\nStored model after 500 jobs: ${measureModelBytes()} bytes of JSON.`)
if (values.json !== undefined)
  writeFileSync(
    values.json,
    `${JSON.stringify({ seeds: SEEDS, backlog, operations, batches, estimates, trickle, firstMinute, lone, person }, null, 2)}\n`,
  )

function measureModelBytes(): number {
  const model = new DurationModel()
  for (let index = 0; index < 500; index += 1)
    model.observe('process', { notDoneAtAgeMs: index * 20, doneAtAgeMs: 2000 + index * 40 })
  return JSON.stringify(model.state()).length
}
