import { Menu, type BrowserWindow, type ContextMenuParams, type MenuItemConstructorOptions } from 'electron'
import type { Texts } from '../page/texts.ts'

/** The context menu: Electron has none of its own, and people expect to paste into text fields. */
function contextMenu(
  params: ContextMenuParams,
  { text }: Pick<Texts, 'text'>,
  replace: (word: string) => void,
): MenuItemConstructorOptions[] {
  const { isEditable, selectionText, dictionarySuggestions, editFlags } = params
  const copy: MenuItemConstructorOptions = { role: 'copy', label: text('menu.copy'), enabled: editFlags.canCopy }
  if (!isEditable) return selectionText.trim() === '' ? [] : [copy]
  const words = dictionarySuggestions.map((word) => ({ label: word, click: () => replace(word) }))
  return [
    ...words,
    ...(words.length > 0 ? [{ type: 'separator' as const }] : []),
    { role: 'cut', label: text('menu.cut'), enabled: editFlags.canCut },
    copy,
    { role: 'paste', label: text('menu.paste'), enabled: editFlags.canPaste },
    { type: 'separator' },
    { role: 'selectAll', label: text('menu.selectAll'), enabled: editFlags.canSelectAll },
  ]
}

export function setupContextMenu(window: BrowserWindow, texts: () => Texts | null): void {
  const { webContents } = window
  webContents.on('context-menu', (_event, params) => {
    const words = texts()
    if (words === null) return
    const template = contextMenu(params, words, (word) => webContents.replaceMisspelling(word))
    if (template.length > 0) Menu.buildFromTemplate(template).popup({ window })
  })
}
