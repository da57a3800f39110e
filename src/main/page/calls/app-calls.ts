import { AppError } from '../../../shared/sentences/errors.ts'
import { localDay } from '../../../shared/runtime/local-day.ts'
import { say } from '../../../shared/sentences/sentence.ts'
import { diagnostics } from '../diagnostics.ts'
import { externalLinks } from '../external-links.ts'
import { shellThat, type PageCallDeps, type PageHandlers } from './page-call-deps.ts'

export function appCalls(deps: PageCallDeps) {
  const { engine, shell, version, dataDir, clock, hooks } = deps
  return {
    'app.diagnostics': async () => {
      const day = localDay(clock.nowMs())
      const { settings, folders, service } = engine.snapshot()
      const text = await diagnostics({ version, dataDir, settings, folders, service })
      return { filename: `hangar-diagnostics-${day}.json`, text }
    },
    'app.revealData': async () => shellThat(shell, 'reveal').reveal(dataDir),
    'hooks.list': async () => {
      await hooks?.read()
      return hooks?.list() ?? { file: '', hooks: [], problem: null }
    },
    'hooks.showFile': async () => {
      const desktop = shellThat(shell, 'reveal')
      if (hooks != null) await desktop.reveal(await hooks.make())
    },
    'app.openExternal': async ({ link }) => {
      const desktop = shellThat(shell, 'openExternal')
      const url = externalLinks()[link]
      if (url === undefined) throw new AppError('not_found', say('id_unknown', { id: link }))
      await desktop.openExternal(url)
    },
    'app.fileManagers': async () => ({ managers: await shellThat(shell, 'fileManagers').fileManagers.list() }),
    'app.setFileManagers': async ({ installed }) => {
      const { fileManagers } = shellThat(shell, 'fileManagers')
      return { managers: await (installed ? fileManagers.install() : fileManagers.remove()) }
    },
  } satisfies Partial<PageHandlers>
}
