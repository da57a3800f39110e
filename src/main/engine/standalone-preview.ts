import type { Language } from '../../shared/recipes/language.ts'
import { NO_SERVICE, type Recipe } from '../../shared/recipes/recipe.ts'
import type { ForeignFolders } from '../../shared/contract/intake.ts'
import type { Clock } from '../../shared/runtime/ports.ts'
import { AppError } from '../../shared/sentences/errors.ts'
import { RateBudgetState } from '../core/rate-budget.ts'
import { BURST_LIMIT, type BatchPrice, type SpendGroup } from '../core/spend-guard.ts'
import { previewIntake, type Prospect } from '../intake/preview-intake.ts'
import { checkedPaths, findPictures, foreignFolders, logLeftOut } from '../intake/run-intake.ts'
import { Documents } from '../journal/documents.ts'
import { JobStore } from '../journal/job-store.ts'
import { type Db, openJournalForReading, openScratchJournal } from '../journal/journal.ts'
import type { DecisionContext } from '../queue/context.ts'
import { expectedHolds, type ExpectedSpend } from '../queue/spend.ts'
import { GuestIdentity } from '../team/team-identity.ts'
import { ownPlaces, type OwnPlaces } from '../watch/own-places.ts'
import { CachedLanguages, creditsPerImage, languagesAt } from './calls/credit-calls.ts'
import { priceOf } from './calls/price.ts'
import { closeAll } from './close-all.ts'
import { createFiles } from './engine-files.ts'
import { LaneSet } from './lanes.ts'
import { settingsIn } from './settings-store.ts'
import type { EngineDeps } from './start-engine.ts'
import { Team } from './team.ts'

type PreviewDeps = Pick<
  EngineDeps,
  'dataDir' | 'clock' | 'random' | 'log' | 'secrets' | 'http' | 'child' | 'practice' | 'overrides'
> & { imageWorkers: number }

/**
 * The preview of an intake without an engine. It takes no lock, so another Hangar may be using the data folder, and it changes
 * nothing there; what its calls would store is kept in memory.
 */
export interface StandalonePreview {
  /** Previews the pictures below the paths; files that are being written are retried. Throws `bad_request` as an intake does. */
  inspect(
    request: { paths: string[]; recipe: Recipe; include: string[]; exclude: string[]; force: boolean },
    signal: AbortSignal,
  ): Promise<{ found: number; foreign: ForeignFolders; prospects: AsyncGenerator<Prospect> }>
  price(groups: readonly SpendGroup[]): Promise<BatchPrice>
  /** An upper bound of the credits for one picture; null if the service states none. */
  creditsPerImage(recipe: Recipe): Promise<number | null>
  languages(): Promise<Language[]>
  held(spend: Omit<ExpectedSpend, 'serviceId'>): ReturnType<typeof expectedHolds>
  /** The calls made, as rate logs by service. */
  calls(): { key: string; value: RateBudgetState }[]
  close(): Promise<void>
}

/** Nothing is in a journal that does not exist yet. */
function openOrEmpty(dataDir: string): Db {
  try {
    return openJournalForReading(dataDir)
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return openScratchJournal()
    throw error
  }
}

const TELLS_NO_ONE = {
  onPracticeMissed: () => undefined,
  fingerprint: () => '',
  makeId: () => '',
  onChange: () => undefined,
  onHold: () => undefined,
}

/** What the journal knows about services, in the memory of `scratch`. */
function knownTo(db: Db, scratch: Db, clock: Clock): Documents {
  const stored = new Documents(db, () => clock.nowMs())
  const documents = new Documents(scratch, () => clock.nowMs())
  for (const { key, value } of stored.list('budget', RateBudgetState)) documents.put('budget', key, value)
  for (const { key, value } of stored.list('languages', CachedLanguages)) documents.put('languages', key, value)
  return documents
}

/** Throws as `openJournal`, and for an invalid address. */
export async function openStandalonePreview(deps: PreviewDeps, stopping: AbortSignal): Promise<StandalonePreview> {
  const { clock, log, overrides } = deps
  const undo: (() => unknown)[] = []
  try {
    const db = openOrEmpty(deps.dataDir)
    undo.push(() => db.close())
    const scratch = openScratchJournal()
    undo.push(() => scratch.close())
    const files = createFiles(deps)
    undo.push(() => files.close())
    const documents = knownTo(db, scratch, clock)
    const effective = { ...settingsIn(db), ...overrides }
    const settings = () => effective
    const memory = { ...deps, db: scratch, documents, settings }
    const team = new Team({
      ...memory,
      identity: new GuestIdentity(() => clock.nowMs()),
      onChange: () => undefined,
    })
    undo.push(() => team.close())
    await team.refresh()
    const lanes = new LaneSet({ ...memory, ...TELLS_NO_ONE, ledgerOf: (...account) => team.ledgerOf(...account) })
    await lanes.refresh()
    const context: DecisionContext = {
      db,
      store: new JobStore(db, () => clock.nowMs()),
      files,
      clock,
      log,
      settings,
      askAbove: () => BURST_LIMIT,
      accountSpent: (id) => lanes.get(id)?.ledger.spent() ?? null,
    }
    const own = ownPlaces(deps.dataDir, effective.inboxDir)
    const serviceId = lanes.activeId ?? NO_SERVICE
    const asking = { lanes, stopping }
    return {
      inspect: (request, signal) => inspect({ context, own, serviceId }, request, signal),
      price: (groups) => priceOf(asking, groups),
      creditsPerImage: (recipe) => creditsPerImage(asking, recipe),
      languages: () => {
        const { activeId } = lanes
        const baseUrl = activeId === null ? null : lanes.baseUrlOf(activeId)
        return languagesAt({ ...deps, stopping, documents, context }, activeId, baseUrl)
      },
      held: (spend) => expectedHolds(context, { ...spend, serviceId }),
      calls: () => documents.list('budget', RateBudgetState),
      close: () => closeAll(undo),
    }
  } catch (error) {
    await closeAll(undo)
    throw error
  }
}

async function inspect(
  { context, own, serviceId }: { context: DecisionContext; own: OwnPlaces; serviceId: string },
  request: Parameters<StandalonePreview['inspect']>[0],
  signal: AbortSignal,
): ReturnType<StandalonePreview['inspect']> {
  const paths = await checkedPaths(request, own)
  const { images, problems, foreign } = await findPictures({ ...request, paths }, own, signal)
  logLeftOut(context, [...problems, ...foreign])
  const { recipe, force } = request
  const prospects = previewIntake(context, images, { recipe, serviceId, force, isPatient: true }, signal)
  return { found: images.length, foreign: foreignFolders(foreign), prospects }
}
