import { dirname } from 'node:path'
import { shownPart } from '../core/shown-part.ts'
import type { BrowserWindow, Clipboard, Dialog, MessageBoxOptions } from 'electron'
import type { HookBoxes, HookQuestion } from '../../shared/runtime/ports.ts'
import type { Texts } from '../page/texts.ts'
import type { PickerFolderFile } from './picker-folders.ts'

interface HookBoxesDeps {
  dialog: Pick<Dialog, 'showMessageBox' | 'showOpenDialog'>
  clipboard: Pick<Clipboard, 'writeText'>
  texts: () => Texts
  window: () => BrowserWindow | null
  pickerFolders: PickerFolderFile
}

/**
 * The questions about hooks, in boxes of the system: the page can ask for one, and neither draw nor answer it. Enter and Escape mean
 * no, since a box may come while a person types.
 */
export function hookBoxes({ dialog, clipboard, texts, window, pickerFolders }: HookBoxesDeps): HookBoxes {
  const show = async (options: MessageBoxOptions): Promise<number> => {
    const owner = window()
    const all = { ...options, title: options.message, noLink: true }
    const { response } = await (owner === null ? dialog.showMessageBox(all) : dialog.showMessageBox(owner, all))
    return response
  }
  const agrees = async (message: string, detail: string, yes: string): Promise<boolean> => {
    const buttons = [texts().text('hookBox.cancel'), yes]
    return (await show({ type: 'warning', message, detail, buttons, defaultId: 0, cancelId: 0 })) === 1
  }
  return {
    async pickProgram() {
      const options = { title: texts().text('hookBox.pick'), properties: ['openFile' as const] }
      const begin = pickerFolders.of('program')
      const from = begin === undefined ? options : { ...options, defaultPath: begin }
      const owner = window()
      const { canceled, filePaths } = await (owner === null
        ? dialog.showOpenDialog(from)
        : dialog.showOpenDialog(owner, from))
      const [path] = filePaths
      if (canceled || path === undefined) return null
      pickerFolders.keep('program', dirname(path))
      return path
    },
    confirm: (hook) => {
      const { text } = texts()
      return agrees(text(`hookBox.${hook.target.kind}`), hookDetail(hook, texts()), text('hookBox.allow'))
    },
    confirmRenewal: () => {
      const { text } = texts()
      return agrees(text('hookBox.renew'), text('hookBox.renewMeans'), text('hookBox.renewDo'))
    },
    async showSecret(secret) {
      const { text } = texts()
      const buttons = [text('hookBox.copy'), text('dialog.close')]
      const detail = `${secret}\n\n${text('hookBox.secretMeans')}`
      const response = await show({ type: 'info', message: text('hookBox.secret'), detail, buttons, cancelId: 1 })
      if (response === 0) await clipboard.writeText(secret)
    },
  }
}

/** All of a hook, one part on a line: nothing in it can look like another part, or hide. */
export function hookDetail({ on, below, target }: HookQuestion, { text, language }: Texts): string {
  const parts = target.kind === 'program' ? [target.file, ...target.args] : [target.url]
  return [
    parts.map(shownPart).join('\n'),
    text(`hookBox.${on}`, { below: (below ?? 0).toLocaleString(language) }),
    text(`hookBox.${target.kind}Means`),
  ].join('\n\n')
}
