import { Ellipsis } from 'lucide-react'
import { t } from 'i18next'
import { FILE_FORMATS, type FileFormat } from '../../../../shared/chargers/exports/charger-files.ts'
import { askOrToast } from '../../../store/bridge.ts'
import { saveChargers } from '../../../store/save-text.ts'
import { useShell } from '../../../store/shell-store.ts'
import { toast } from '../../../store/toasts.ts'
import { IconButton } from '../../../parts/button.tsx'
import { Menu } from '../../../parts/menu.tsx'
import { chargerIndex, useChargers } from '../store/chargers-store.ts'

export function MoreMenu() {
  const isRefreshing = useShell(({ state }) => state?.chargers.status.refreshing ?? false)
  const matches = useChargers(({ found }) => found?.matches ?? 0)
  const sample = useShell(({ state }) => state?.chargers.status.sample ?? false)
  const save = async (format: FileFormat) => {
    const { text, count, unplaced } = chargerIndex.export(format, sample)
    const name = await saveChargers(`${sample ? 'sample-' : ''}chargers`, format, text)
    if (name === null) return
    const left = format === 'csv' ? 0 : unplaced
    const saved = count - left
    const sentences = [t('chargers:export.done', { count: saved, name })]
    if (left > 0) sentences.push(t('chargers:export.without', { count: left }))
    toast(sentences.join(' '))
  }
  return (
    <Menu
      items={[
        { label: t('chargers:refresh'), disabled: isRefreshing, onSelect: () => askOrToast('chargers.refresh', {}) },
        null,
        ...FILE_FORMATS.map((format) => ({
          label: `${t('jobs:export')}: ${t(`chargers:export.${format}`)}`,
          disabled: matches === 0,
          onSelect: () => save(format),
        })),
      ]}
    >
      <IconButton kind="plain" label={t('common:more')}>
        <Ellipsis size={16} aria-hidden />
      </IconButton>
    </Menu>
  )
}
