import { AppError } from '../../../shared/errors.ts'
import { localDay } from '../../../shared/local-day.ts'
import { ownSentence } from '../../../shared/own-sentences.ts'
import type { Settings, SettingsChange } from '../../../shared/settings.ts'
import { callEngine } from '../../call-engine.ts'
import { diagnostics } from '../diagnostics.ts'
import { externalLinks } from '../external-links.ts'
import { fromUiSettingsChange, toUiSettings } from '../recipe-tokens.ts'
import { needCapability, type UiCallDeps, type UiHandlers } from './ui-call-deps.ts'

type AppHandlers = Pick<
  UiHandlers,
  'settings.set' | 'log.read' | 'app.diagnostics' | 'app.revealData' | 'app.openExternal'
>

export function appCalls(deps: UiCallDeps): AppHandlers {
  const { engine, shell, places, logTail, dataDir, clock } = deps
  return {
    'settings.set': async (asked) => {
      const change = fromUiSettingsChange(places, asked)
      refuseOverridden(change, deps.overrides)
      const now = await callEngine(engine, 'settings.get', {})
      await deps.beforeSettings({ ...now, ...given(change) })
      if (change.startAtLogin !== undefined && change.startAtLogin !== now.startAtLogin) {
        needCapability(shell, 'startAtLogin')
        shell.setStartAtLogin(change.startAtLogin)
      }
      const next = await callEngine(engine, 'settings.set', change)
      deps.lookAgain()
      return toUiSettings(places, next)
    },
    'log.read': ({ afterSeq }) => ({ lines: logTail.since(afterSeq) }),
    'app.diagnostics': async () => {
      const day = localDay(clock.nowMs())
      const text = `${JSON.stringify(await diagnostics(deps), null, 2)}\n`
      return { filename: `hangar-diagnostics-${day}.json`, text }
    },
    'app.revealData': async () => {
      needCapability(shell, 'reveal')
      await shell.reveal(dataDir)
      return {}
    },
    'app.openExternal': async ({ link }) => {
      needCapability(shell, 'openExternal')
      const url = externalLinks()[link]
      if (url === undefined) throw new AppError('not_found', 'There is no address for this.')
      await shell.openExternal(url)
      return {}
    },
  }
}

/** What this start was told from outside stays so until it ends: storing something else would look like it had worked. */
function refuseOverridden(change: SettingsChange, overrides: Partial<Settings>): void {
  for (const [name, value] of Object.entries(given(change)))
    if (name in overrides && JSON.stringify(overrides[name as keyof Settings]) !== JSON.stringify(value))
      throw new AppError('bad_request', ownSentence('given_at_start'))
}

/** Members that are there but undefined mean "not given". */
function given(change: SettingsChange): Partial<Settings> {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
}
