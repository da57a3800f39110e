import { basename } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { Folder } from '../../shared/contract/folders.ts'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { merged } from '../../shared/settings/members.ts'
import type { Settings } from '../../shared/settings/settings.ts'
import type { Documents } from '../journal/documents.ts'
import type { Db } from '../journal/journal.ts'
import { documentsOf } from './settings-store.ts'

const KIND = 'fixedConfig'

/**
 * A configuration file that Hangar was started with: what it says holds until Hangar is started without, and is not stored as a setting.
 * Members that it does not have are free.
 */
const FixedConfig = z.object({
  file: z.string(),
  /** Some settings, at any level. */
  settings: z.record(z.string(), z.unknown()),
  /** Watched folders by their paths, each with some of its members. */
  folders: z.array(z.looseObject({ path: z.string() })),
})
export type FixedConfig = z.infer<typeof FixedConfig>

/** Leaves a note for other processes about the Hangar that has the data folder. */
export function noteConfig(documents: Documents, config: FixedConfig | null): void {
  if (config === null) documents.remove(KIND, 'running')
  else documents.put(KIND, 'running', config)
}

/** Of the Hangar that had the data folder last; it may have ended. */
export function notedConfig(db: Db): FixedConfig | null {
  return documentsOf(db).get(KIND, 'running', FixedConfig)
}

/** Throws `bad_request` when settings would differ from the file. */
export function refuseFixedSettings(config: FixedConfig | null, next: Settings): void {
  if (config !== null && !isDeepStrictEqual(merged(next, config.settings), next)) throw setBy(config)
}

/** Throws `bad_request` when a folder would differ from the file, or with null go or move away from it. */
export function refuseFixedFolder(config: FixedConfig | null, { path }: Folder, next: Folder | null): void {
  const fixed = config?.folders.find((folder) => folder.path === path)
  if (config == null || fixed === undefined) return
  if (next === null || !isDeepStrictEqual(merged(next, fixed), next)) throw setBy(config)
}

const setBy = ({ file }: FixedConfig) => new AppError('bad_request', say('set_by_config', { file: basename(file) }))
