import { AppError } from '../../../shared/sentences/errors.ts'
import { localDay } from '../../../shared/runtime/local-day.ts'
import { say } from '../../../shared/sentences/sentence.ts'
import type { FileManagers, ShellPort } from '../../../shared/runtime/ports.ts'
import { diagnostics, LOG_LINES } from '../diagnostics.ts'
import { externalLinks } from '../external-links.ts'
import { needCapability, type PageCallDeps, type PageHandlers } from './page-call-deps.ts'

export function appCalls(deps: PageCallDeps) {
  const { engine, shell, logTail, version, dataDir, clock, hooks } = deps
  return {
    'log.read': ({ afterSeq }) => ({ lines: logTail.since(afterSeq) }),
    'app.diagnostics': async () => {
      const day = localDay(clock.nowMs())
      const { settings, folders, service } = engine.snapshot()
      const log = logTail.last(LOG_LINES)
      const text = await diagnostics({ version, dataDir, settings, folders, service, log })
      return { filename: `hangar-diagnostics-${day}.json`, text }
    },
    'app.revealData': async () => {
      needCapability(shell, 'reveal')
      await shell.reveal(dataDir)
      return {}
    },
    'hooks.list': async () => {
      await hooks?.read()
      return hooks?.list() ?? { file: '', hooks: [], problem: null }
    },
    'hooks.showFile': async () => {
      needCapability(shell, 'reveal')
      if (hooks !== null) await shell.reveal(await hooks.make())
      return {}
    },
    'app.openExternal': async ({ link }) => {
      needCapability(shell, 'openExternal')
      const url = externalLinks()[link]
      if (url === undefined) throw new AppError('not_found', say('place_unknown'))
      await shell.openExternal(url)
      return {}
    },
    'app.fileManagers': async () => ({ managers: await fileManagersOf(shell).list() }),
    'app.setFileManagers': async ({ installed }) => {
      const entries = fileManagersOf(shell)
      return { managers: await (installed ? entries.install() : entries.remove()) }
    },
  } satisfies Partial<PageHandlers>
}

function fileManagersOf(shell: ShellPort): FileManagers {
  if (shell.fileManagers === null) throw new AppError('bad_request', say('desktop_only'))
  return shell.fileManagers
}
