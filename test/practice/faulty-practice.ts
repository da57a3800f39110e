/** The real practice service with all that the two documents do not say in a test's hands; faults stand between it and its answers. */
import { randomInt } from 'node:crypto'
import type { JobTime, LedgerCharge, LedgerLine, PracticeOptions } from '../../src/practice/protocol.ts'
import { seededRandom } from '../../src/practice/seeded-random.ts'
import { startPractice as startPlainly } from '../../src/practice/server.ts'
import type { PracticeServer as PlainServer, Services } from '../../src/practice/server.ts'
import type { Clock } from '../../src/shared/runtime/ports.ts'
import { respondInWeather, Weather, type WeatherRule } from './faults.ts'

export type ControlInput =
  | { type: 'set-credits'; credits: number }
  | { type: 'top-up'; credits: number }
  | { type: 'add-weather'; rules: readonly WeatherRule[] }
  | { type: 'clear-weather' }
  | { type: 'set-job-time'; jobTime: JobTime }
  /** Fails the next `next` dispatched jobs at their end. */
  | { type: 'fail-jobs'; next: number }
  /** Drops all jobs: polls and downloads then answer 404. */
  | { type: 'forget-jobs' }
  | { type: 'set-limits'; requestsPerMinute?: number; ipRequestsPerMinute?: number }
  /** Jobs dispatched from now on get exactly these texts in every language; null goes back to practice texts. */
  | { type: 'set-texts'; texts: { seoFilename: string; seoAltText: string } | null }
  | { type: 'get-state' }
  | { type: 'get-ledger' }

/** `status` is null while it is under way and when it got no answer. */
type LedgerEntry = Omit<Extract<LedgerLine, { type: 'request' }>, 'type'> & {
  status: number | null
  answeredAtMs: number | null
}

export interface LedgerSnapshot {
  requests: LedgerEntry[]
  charges: LedgerCharge[]
  totals: { requests: number; charges: number; credits: number }
}

/** Result types of the controls that return one. */
interface ControlResults {
  'get-state': { balance: number; weatherRules: number }
  'get-ledger': LedgerSnapshot
}
type ControlResult<Type extends ControlInput['type']> = Type extends keyof ControlResults
  ? ControlResults[Type]
  : unknown
type Controls = {
  [Type in ControlInput['type']]: (request: Extract<ControlInput, { type: Type }>) => ControlResult<Type>
}

export interface PracticeServer extends PlainServer {
  control<Input extends ControlInput>(request: Input): Promise<ControlResult<Input['type']>>
  ledger(): LedgerSnapshot
}

export async function startPractice(
  options: PracticeOptions = {},
  deps: { clock?: Clock } = {},
): Promise<PracticeServer> {
  const weather = new Weather(seededRandom(options.seed ?? randomInt(2 ** 31)))
  const requests = new Map<number, LedgerEntry>()
  const charges: LedgerCharge[] = []
  const onLedgerLine = (line: LedgerLine): void => {
    if (line.type === 'charge') charges.push(line)
    else if (line.type === 'answer')
      Object.assign(requests.get(line.seq)!, { status: line.status, answeredAtMs: line.atMs })
    else {
      const { type: _, ...request } = line
      requests.set(line.seq, { ...request, status: null, answeredAtMs: null })
    }
  }
  const server = await startPlainly(options, { ...deps, respond: respondInWeather(weather), onLedgerLine })
  const made = new JobFaults(server.services)
  const ledger = (): LedgerSnapshot => {
    const credits = charges.reduce((sum, charge) => sum + charge.credits, 0)
    return {
      requests: [...requests.values()].map((one) => ({ ...one })),
      charges: [...charges],
      totals: { requests: requests.size, charges: charges.length, credits },
    }
  }
  const { services } = server
  const { jobs, keys } = services
  const account = () => keys.find(keys.current)!.owner
  const controls: Controls = {
    'set-credits': ({ credits }) => (account().credits = credits),
    'top-up': ({ credits }) => (account().credits += credits),
    'add-weather': ({ rules }) => weather.add(rules),
    'clear-weather': () => weather.clear(),
    'set-job-time': ({ jobTime }) => (jobs.jobTime = jobTime),
    'fail-jobs': ({ next }) => (made.failNext += next),
    'forget-jobs': () => jobs.forget(jobs.all.map(({ id }) => id)),
    'set-limits': ({ requestsPerMinute, ipRequestsPerMinute }) => {
      services.keyWindow.limit = requestsPerMinute ?? services.keyWindow.limit
      services.addressWindow.limit = ipRequestsPerMinute ?? services.addressWindow.limit
    },
    'set-texts': ({ texts }) => (made.texts = texts),
    'get-state': () => ({ balance: account().credits, weatherRules: weather.size }),
    'get-ledger': ledger,
  }
  return {
    ...server,
    control: async <Input extends ControlInput>(request: Input) =>
      controls[request.type](request as never) as ControlResult<Input['type']>,
    ledger,
  }
}

/** Makes jobs of the service fail, or have other texts. */
class JobFaults {
  failNext = 0
  texts: { seoFilename: string; seoAltText: string } | null = null

  constructor({ jobs, work }: Services) {
    const start = jobs.start.bind(jobs)
    jobs.start = (...given) => {
      const job = start(...given)
      if (this.failNext > 0) {
        this.failNext -= 1
        job.failsAtMs = Math.max(...job.parts.map(({ endsAtMs }) => endsAtMs))
      }
      return job
    }
    const run = work.run.bind(work)
    work.run = async (kind, upload) => {
      const { texts } = this
      const result = await run(kind, upload)
      if (result.kind !== 'analyze' || texts === null) return result
      const words = { seo_filename: texts.seoFilename, seo_alt_text: texts.seoAltText }
      result.translations = upload.languages.map((code) => ({ language_code: code, ...words }))
      return result
    }
  }
}
