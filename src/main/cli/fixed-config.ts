import { resolve } from 'node:path'
import { Option, type Command } from 'commander'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { merged, namedValues } from '../../shared/settings/members.ts'
import { orThrow } from '../../shared/contract/call.ts'
import { notedConfig, type FixedConfig } from '../engine/fixed-config.ts'
import type { Engine } from '../engine/start-engine.ts'
import { readJournal, storedFolders, storedSettings } from '../engine/stored-settings.ts'
import type { Cli } from './cli-context.ts'
import type { Hook } from '../hooks/hook.ts'
import { hooksIn } from './config-hooks.ts'
import { configChanges, type ConfigChanges } from './config-changes.ts'
import type { CommonFlags } from './options.ts'
import { placeConfig } from './place-config.ts'
import { readConfigFile, type Problem } from './read-config.ts'
import { sayProblems } from './say-problems.ts'
import { isInUse } from '../journal/data-folder.ts'

export interface ConfigFlags {
  config?: string
}

export function addConfigOption(command: Command): Command {
  return command.addOption(
    new Option(
      '--config <file>',
      'a configuration (see hangar config) that holds for this start: it comes before what is stored, is not stored, and cannot be changed meanwhile',
    ).helpGroup('General:'),
  )
}

/** What a configuration says for a start. Its hooks are no part of what is noted for other processes and shown in the window. */
interface StartConfig {
  config: FixedConfig
  hooks: Hook[]
}

/**
 * The configuration of `--config`, with absolute paths; null without one. `folders` false: those in it do not count. Throws
 * `bad_request` after everything that is wrong with it was said.
 */
export async function startConfigOf(
  cli: Cli,
  flags: CommonFlags & ConfigFlags,
  { dataDir, folders: withFolders }: { dataDir: string; folders: boolean },
): Promise<StartConfig | null> {
  if (flags.config === undefined) return null
  const file = resolve(cli.cwd, flags.config)
  const read = await readConfigFile(file)
  const refuse = (problems: readonly Problem[]) => {
    sayProblems(cli, flags, problems)
    return new AppError('bad_request', say('cli_config_unusable', { file: flags.config ?? '' }))
  }
  if (!read.ok) throw refuse(read.problems)
  const { folders = [], ...rest } = read.config
  const given = withFolders ? { ...rest, folders } : rest
  const [settings, known] = [storedSettings(dataDir), storedFolders(dataDir)]
  const { placed, problems } = await placeConfig(given, { file, dataDir, settings, folders: known, mayBeAway: true })
  const { hooks, problems: hookProblems } = await hooksIn(read, { file, env: cli.env })
  if (problems.length + hookProblems.length > 0) throw refuse([...problems, ...hookProblems])
  const { $schema: _, hooks: __, folders: fixed = [], ...fixedSettings } = placed
  return { config: { file, settings: fixedSettings, folders: fixed }, hooks }
}

/** Watches the folders of a configuration as if they had been named; what is in new ones is taken in unless told otherwise. */
export async function watchFixed(
  engine: Pick<Engine, 'call'>,
  { folders: fixed }: FixedConfig,
  existing: 'take' | 'leave' = 'take',
): Promise<void> {
  const settings = await orThrow(engine.call('settings.get', {}))
  const { folders } = await orThrow(engine.call('folders.list', {}))
  const { added, changed } = configChanges({ folders: fixed }, settings, folders)
  for (const { folder } of added) await orThrow(engine.call('folders.add', { ...folder, existing }))
  for (const { id, changes } of changed) await orThrow(engine.call('folders.update', { id, changes }))
}

/** The configuration that the Hangar on this data folder was started with; null without one. */
export function configInUse(dataDir: string): FixedConfig | null {
  return isInUse(dataDir) ? readJournal(dataDir, null, notedConfig) : null
}

/** What of these changes the Hangar on this data folder would refuse. */
export function fixedProblems(config: FixedConfig | null, { settings, changed }: ConfigChanges): Problem[] {
  if (config === null) return []
  const message = `This is set by ${config.file}, which the running Hangar was started with. Change it there, and start that Hangar again.`
  const names = namedValues(config.settings)
  const folders = new Map(config.folders.map((folder) => [folder.path, namedValues(folder)]))
  return [
    ...settings.filter(({ name }) => names.has(name)).map(({ name }) => ({ path: name, message })),
    ...changed
      .filter(({ path, values }) => values.some(({ name }) => folders.get(path)?.has(name) === true))
      .map(({ path }) => ({ path: `folders: ${path}`, message })),
  ]
}

/** Throws `bad_request` when the Hangar on this data folder was started with a configuration that names one of these folders. */
export function refuseFixed(config: FixedConfig | null, folders: readonly { path: string }[]): void {
  if (config?.folders.some(({ path }) => folders.some((folder) => folder.path === path)) !== true) return
  throw new AppError('bad_request', say('set_by_config', { file: config.file }))
}

/** Settings as the Hangar on this data folder uses them, apart from what its command line and environment say. */
export function settingsInUse(dataDir: string): ReturnType<typeof storedSettings> {
  return merged(storedSettings(dataDir), configInUse(dataDir)?.settings ?? {})
}
