import type { CheckedRequest } from '../../shared/contract/calls.ts'
import type { ServiceId } from '../../shared/recipes/recipe.ts'
import type { AccountSpend } from '../core/account-ledger.ts'
import { BURST_LIMIT } from '../core/spend-guard.ts'
import { previewIntake } from '../intake/preview-intake.ts'
import { checkedPaths, findPictures, foreignFolders, logLeftOut } from '../intake/run-intake.ts'
import { JobStore } from '../journal/job-store.ts'
import { openJournalForReading } from '../journal/journal.ts'
import type { DecisionContext } from '../queue/context.ts'
import { expectedHolds, type ExpectedSpend } from '../queue/spend.ts'
import { ownPlaces } from '../watch/own-places.ts'
import { closeAll } from './end-process.ts'
import { createFiles } from './engine-files.ts'
import { settingsIn } from './settings-store.ts'
import type { EngineDeps } from './engine-run.ts'

type PreviewDeps = Pick<EngineDeps, 'dataDir' | 'clock' | 'log' | 'child' | 'overrides'> & {
  imageWorkers: number
  /** The service that pictures would go to. */
  serviceId: ServiceId
}

type PreviewRequest = Pick<CheckedRequest<'intake.add'>, 'paths' | 'recipe' | 'include' | 'exclude' | 'force'>

export type StandalonePreview = ReturnType<typeof openStandalonePreview>

/** Previews an intake without an engine and without a lock; changes nothing. Throws as `openJournalForReading`. */
export function openStandalonePreview(deps: PreviewDeps) {
  const { clock, log, overrides, serviceId } = deps
  const db = openJournalForReading(deps.dataDir)
  const files = createFiles(deps)
  const settings = { ...settingsIn(db), ...overrides }
  const context: DecisionContext = {
    db,
    store: new JobStore(db, () => clock.nowMs()),
    files,
    clock,
    log,
    settings: () => settings,
    askAbove: () => BURST_LIMIT,
  }
  return {
    /** Throws `bad_request` as an intake does. */
    inspect: async (request: PreviewRequest, signal: AbortSignal) => {
      const own = ownPlaces(deps.dataDir, settings.inboxDir)
      const paths = await checkedPaths(request, own)
      const { images, problems, foreign } = await findPictures({ ...request, paths }, own, signal)
      logLeftOut(context, [...problems, ...foreign])
      const { recipe, force } = request
      const prospects = previewIntake(context, images, { recipe, serviceId, force, isPatient: true }, signal)
      return { found: images.length, foreign: foreignFolders(foreign), prospects }
    },
    /** `account`: what all computers of the account sent, where they are a team. */
    held: (spend: Omit<ExpectedSpend, 'serviceId'>, account: AccountSpend | null) =>
      expectedHolds({ ...context, accountSpent: () => account }, { ...spend, serviceId }),
    close: () => closeAll([() => db.close(), () => files.close()]),
  }
}
