import { dirname, join, resolve } from 'node:path'
import { orThrow, type Result } from '../../../shared/contract/call.ts'
import { CALLS } from '../../../shared/contract/calls.ts'
import type { EnginePort } from '../../../shared/contract/engine-port.ts'
import { AppError, toAppError } from '../../../shared/sentences/errors.ts'
import { say } from '../../../shared/sentences/sentence.ts'
import { restoreOriginals } from '../engine-files.ts'
import { JOURNAL_NAME } from '../../journal/journal.ts'
import { closedJournal, journalTrouble } from '../../journal/journal-trouble.ts'
import type { PendingCommand } from '../../journal/commands.ts'
import { whyUnfit } from '../../core/why-unfit.ts'
import { batchCalls } from './batch-calls.ts'
import type { CallsDeps, Handlers } from './call-deps.ts'
import { chargerCalls, viewCalls } from './charger-calls.ts'
import { creditCalls } from './credit-calls.ts'
import { folderCalls } from './folder-calls.ts'
import { jobCalls } from './job-calls.ts'
import { keyCalls, readKeysAgain } from './key-calls.ts'
import { queueCalls } from './queue-calls.ts'
import { recipeCalls } from './recipe-calls.ts'
import { settingsCalls } from './settings-calls.ts'
import { teamCalls } from './team-calls.ts'

interface Calls {
  call: EnginePort['call']
  perform: EnginePort['perform']
  /** Carries out a command that another process left in the journal. */
  carryOut(command: PendingCommand): Promise<void>
}

/** The engine's side of the contract: validates requests, runs the handlers, and returns failures as values. */
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
    ...viewCalls(deps),
    'originals.restore': ({ paths, force }) => {
      const files = paths.map((given) => {
        const path = resolve(given)
        const [job] = deps.context.store.list({ path, newestFirst: true, limit: 1 })
        return { path, rootDir: job?.rootDir ?? dirname(path) }
      })
      return deps.fileWork.run(() => restoreOriginals(files, force))
    },
  }
  const perform: Calls['perform'] = async (name, checked) => {
    try {
      const handler = handlers[name] as (request: unknown) => unknown
      return { ok: true, value: (await handler(checked)) as never }
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
  return { call, perform, carryOut: (command) => carryOut(deps, call, command) }
}

async function carryOut(deps: CallsDeps, call: Calls['call'], command: PendingCommand): Promise<void> {
  const { kind } = command
  const here = (ids: string[]) => ids.filter((id) => deps.context.store.get(id) !== null)
  if ('ids' in command && here(command.ids).length < command.ids.length) {
    deps.context.log.warn('a command names pictures that are no longer in the journal', { command: kind })
    return carryOut(deps, call, { ...command, ids: here(command.ids) })
  }
  // The command that asked for it has ended: the window and "hangar status" report the failure.
  await orThrow(carryOutCall(deps, call, command))
}

async function carryOutCall(deps: CallsDeps, call: Calls['call'], command: PendingCommand): Promise<Result<unknown>> {
  switch (command.kind) {
    case 'retry':
      return call('jobs.retry', command)
    case 'resolve':
      return call('jobs.resolve', command)
    case 'cancel':
      return call('jobs.cancel', command)
    case 'edit_texts':
      return call('jobs.editTexts', { edits: command.edits })
    case 'confirm':
      return call('batches.confirm', { id: command.batchId })
    case 'remove_folder':
      return call('folders.remove', { id: command.id })
    case 'add_folder':
    case 'update_folder':
    case 'change_settings':
      return configure({ call }, command)
    case 'mark_favourites':
      return call('chargers.favourites', { ids: command.chargers, favourite: true, service: command.service })
    case 'stop_waiting':
      return call('batches.stopWaiting', { id: null })
    case 'pause':
      return call('queue.pause', {})
    case 'resume':
      return call('queue.resume', {})
    case 'keys':
      // The command may have stored another address too.
      await deps.settingsStore.reread()
      await readKeysAgain(deps)
      return { ok: true, value: {} }
  }
}

export type ConfigCommand = Extract<PendingCommand, { kind: 'add_folder' | 'update_folder' | 'change_settings' }>

/** Pictures that are in a new folder already stay as they are. */
export function configure({ call }: Pick<Calls, 'call'>, command: ConfigCommand): Promise<Result<unknown>> {
  switch (command.kind) {
    case 'add_folder':
      return call('folders.add', { ...command.folder, existing: 'leave' })
    case 'update_folder':
      return call('folders.update', { id: command.id, changes: command.changes })
    case 'change_settings':
      return call('settings.set', command.changes)
  }
}
