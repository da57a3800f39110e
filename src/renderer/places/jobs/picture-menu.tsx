import i18next, { t } from 'i18next'
import type { JobDetail } from '../../../shared/contract/jobs.ts'
import { pictureMarkup } from '../../../shared/presentation/markup.ts'
import { processAgain } from '../../intake/intake-commands.ts'
import { MenuAt, type MenuItem } from '../../parts/menu-behind-button.tsx'
import { askOrToast } from '../../store/bridge.ts'
import { copyText } from '../../store/copy-text.ts'
import { useRow } from '../../store/jobs-store.ts'
import { useCan } from '../../store/shell-store.ts'
import { askToRemove } from './ask-first.ts'
import { focusList, showDetail } from './list-moves.ts'

export interface MenuPoint {
  id: string
  byKey: boolean
  x: number
  y: number
}

export default function PictureMenu({ id, onClose, ...at }: MenuPoint & { onClose: () => void }) {
  const canReveal = useCan('reveal')
  const row = useRow(id)
  const hasTexts = row !== null && row.review !== 'none'
  /** In the language of the window where there is one in it. */
  const copy = async (textOf: (detail: JobDetail, language: string) => string) => {
    const detail = await askOrToast('jobs.detail', { id })
    if (detail === null) return
    const codes = detail.texts.map(({ languageCode }) => languageCode)
    const language = codes.find((code) => code === i18next.language) ?? codes[0] ?? ''
    await copyText(textOf(detail, language))
  }
  const altOf = ({ texts }: JobDetail, language: string) =>
    texts.find(({ languageCode }) => languageCode === language)?.altText ?? ''
  const reveal = () => askOrToast('outputs.reveal', { id, index: null })
  const items: (MenuItem | null)[] = [
    { label: t('frame:shortcuts.open'), onSelect: () => showDetail(id) },
    ...(canReveal ? [{ label: t('jobs:reveal'), onSelect: reveal }] : []),
    null,
    { label: t('frame:shortcuts.copy'), disabled: !hasTexts, onSelect: () => copy(altOf) },
    { label: t('detail:markup.copy'), disabled: !hasTexts, onSelect: () => copy(pictureMarkup) },
    null,
    { label: t('jobs:processAgain'), disabled: row?.recipeCanChange !== true, onSelect: () => processAgain([id]) },
    { label: t('frame:shortcuts.remove'), onSelect: () => askToRemove() },
  ]
  const close = () => {
    onClose()
    focusList()
  }
  return <MenuAt {...at} items={items} onClose={close} />
}
