import { assertNever } from '../shared/sentences/errors.ts'
import type { PartnerTokens } from './admission.ts'
import type { Accounts } from './accounts.ts'
import type { FixedWindow } from './fixed-window.ts'
import type { JobBook } from './job-book.ts'
import type { Ledger } from './ledger.ts'
import type { ControlRequest } from './protocol.ts'
import { makeChargers } from './sample-chargers.ts'
import type { StoredCharger } from './sample-chargers.ts'
import type { Weather } from './weather.ts'

export interface Controlled {
  accounts: Accounts
  tokens: PartnerTokens
  jobs: JobBook
  weather: Weather
  ledger: Ledger
  keyWindow: FixedWindow
  addressWindow: FixedWindow
  seed: number
  chargers: StoredCharger[]
}

/** Executes a control message; the result has the shape that `ControlResults` gives for its type, or is null. */
export function applyControl(service: Controlled, request: ControlRequest): unknown {
  const { accounts, tokens, jobs, weather, ledger } = service
  switch (request.type) {
    case 'set-credits':
      accounts.currentAccount.credits = request.credits
      return null
    case 'top-up':
      accounts.currentAccount.credits += request.credits
      return null
    case 'add-weather':
      weather.add(request.rules)
      return null
    case 'clear-weather':
      weather.clear()
      return null
    case 'set-job-time':
      jobs.jobTime = request.jobTime
      return null
    case 'fail-jobs':
      jobs.fail(request.jobIds ?? [])
      jobs.failNext += request.next ?? 0
      return null
    case 'forget-jobs':
      jobs.forget(request.jobIds)
      return null
    case 'rotate-key':
      return request.service === 'image'
        ? accounts.rotate(request.account, request.keepOld)
        : tokens.rotate(request.keepOld)
    case 'set-limits':
      service.keyWindow.limit = request.requestsPerMinute ?? service.keyWindow.limit
      service.addressWindow.limit = request.ipRequestsPerMinute ?? service.addressWindow.limit
      return null
    case 'set-texts':
      jobs.texts = request.texts
      return null
    case 'set-chargers':
      service.chargers = makeChargers(request.chargers, service.seed)
      return null
    case 'get-state':
      return {
        balance: accounts.currentAccount.credits,
        projects: [...accounts.currentAccount.projects].map(([id, name]) => ({ id, name })),
        jobs: jobs.size,
        jobsInFlight: jobs.countInFlight(),
        chargers: service.chargers.length,
        weatherRules: weather.size,
      }
    case 'get-ledger':
      return ledger.snapshot()
    default:
      return assertNever(request)
  }
}
