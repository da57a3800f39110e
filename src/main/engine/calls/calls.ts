import { join } from 'node:path'
import type { z } from 'zod'
import { CALLS } from '../../../shared/contract/calls.ts'
import type { EnginePort } from '../../../shared/contract/engine-port.ts'
import { AppError, toAppError } from '../../../shared/sentences/errors.ts'
import { say, type Sentence } from '../../../shared/sentences/sentence.ts'
import { JOURNAL_NAME } from '../../journal/journal.ts'
import { closedJournal, journalTrouble } from '../../journal/journal-trouble.ts'
import { batchCalls, queueCalls } from './queue-calls.ts'
import type { CallsDeps, Handlers, HandlersOf } from './call-deps.ts'
import { creditCalls } from './credit-calls.ts'
import { jobCalls } from './job-calls.ts'
import { keyCalls } from './key-calls.ts'
import { recipeCalls } from './recipe-calls.ts'
import { teamCalls } from './team-calls.ts'
import { readWaypoints } from '../../core/read-waypoints.ts'
import { withoutUndefined } from '../../../shared/settings/without-undefined.ts'
import { settingsCalls } from './settings-calls.ts'

type Calls = Pick<EnginePort, 'call' | 'perform'>

/** Validates requests, runs the handlers, and returns failures as values. */
export function createCalls(deps: CallsDeps): Calls {
  const handlers: Handlers = {
    ...jobCalls(deps),
    ...queueCalls(deps),
    ...settingsCalls(deps),
    ...batchCalls(deps),
    ...folderCalls(deps),
    ...creditCalls(deps),
    ...keyCalls(deps),
    ...recipeCalls(deps),
    ...teamCalls(deps),
    ...chargerCalls(deps),
    'app.origin': () => ({ origin: deps.origin?.() ?? null }),
  }
  const perform: Calls['perform'] = async (name, checked) => {
    try {
      const value = await (handlers[name] as (request: unknown) => unknown)(checked)
      return { ok: true, value: (value === undefined ? {} : value) as never }
    } catch (thrown) {
      deps.context.guard.note(thrown)
      const trouble = closedJournal(thrown) ?? journalTrouble(thrown, join(deps.dataDir, JOURNAL_NAME))
      const error = trouble ?? toAppError(thrown)
      if (error.code === 'internal') deps.context.log.error('a call failed', { channel: name, error: error.message })
      return { ok: false, error: error.shape }
    }
  }
  const call: Calls['call'] = async (name, request) => {
    const parsed = CALLS[name].request.safeParse(request)
    if (parsed.success) return perform(name, parsed.data as never)
    const issue = parsed.error.issues[0]
    const where = issue?.path.join('.') ?? name
    const why = whyUnfit(issue)
    return { ok: false, error: new AppError('bad_request', say('request_invalid', { where, why })).shape }
  }
  return { call, perform }
}

/** What is wrong with a value, as a part of a sentence. */
function whyUnfit(issue: z.core.$ZodIssue | undefined): Sentence {
  if (issue?.code === 'unrecognized_keys') return say('value_no_member')
  if (issue?.code === 'too_small' && issue.inclusive !== false)
    return say('value_at_least', { least: Number(issue.minimum) })
  if (issue?.code === 'too_big' && issue.inclusive !== false)
    return say('value_at_most', { most: Number(issue.maximum) })
  return say('value_unfit')
}

function chargerCalls({ chargers }: CallsDeps): HandlersOf<'chargers'> {
  const { book } = chargers
  return {
    'chargers.refresh': async () => {
      await book.refresh()
      return book.status()
    },
    'chargers.data': () => book.data(),
    'chargers.readWaypoints': ({ data }) => {
      const { places, leftOut } = readWaypoints(Buffer.from(data, 'base64'))
      return { places: places.map(({ note: _, ...place }) => place), leftOut }
    },
    'chargers.favourites': ({ ids, favourite, service }) => ({ ids: chargers.markFavourites(ids, favourite, service) }),
  }
}

function folderCalls({ folders }: CallsDeps): HandlersOf<'folders'> {
  return {
    'folders.list': () => ({ folders: folders.views() }),
    'folders.add': async ({ existing, ...folder }) => ({ id: (await folders.add(folder, existing)).id }),
    'folders.locate': ({ id, path }) => folders.locate(id, path),
    'folders.update': ({ id, changes, reprocess }) => folders.update(id, withoutUndefined(changes), reprocess),
    'folders.remove': ({ id }) => folders.remove(id),
    'folders.putBack': ({ id }) => folders.putBack(id),
    'folders.reconcile': ({ id }) => folders.reconcile(id),
  }
}
