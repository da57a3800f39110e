import { Download } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { today } from '../../../../shared/runtime/local-day.ts'
import { inBackground } from '../../../bridge/in-background.ts'
import { useShell } from '../../../store/shell-store.ts'
import { Button } from '../../../parts/button.tsx'
import { Menu } from '../../../parts/menu.tsx'
import { saveText } from '../../../store/save-text.ts'
import { toast } from '../../../store/toasts.ts'
import type { ExportFormat } from '../data/protocol.ts'
import { useChargers } from '../store/chargers-store.ts'
import { chooseFavourites } from './favourites-file.ts'
import { useWords } from '../use-words.ts'

const FORMATS: readonly ExportFormat[] = ['csv', 'geojson', 'gpx', 'cup']

/** Saves the filtered chargers as a file, which the worker creates. */
export function ExportMenu() {
  const { t } = useTranslation('chargers')
  const words = useWords()
  const sample = useShell(({ state }) => state?.chargers.status.sample ?? false)
  const found = useChargers((view) => view.found)
  const client = useChargers((view) => view.client)
  const [isBusy, setBusy] = useState(false)
  const hasFavourites = useShell(({ state }) => (state?.chargers.favourites.length ?? 0) > 0)
  const save = async (format: ExportFormat, of: 'matches' | 'favourites' = 'matches') => {
    if (client === null) return
    setBusy(true)
    try {
      const { type, text, count, unplaced } = await client.ask('export', { of, format, sample })
      const name = await saveText(
        `${sample ? 'sample-' : ''}${of === 'matches' ? 'chargers' : 'favourites'}-${today()}.${format}`,
        type,
        text,
      )
      if (name === null) return
      const left = format === 'csv' ? 0 : unplaced
      const saved = count - left
      const sentences = [t('export.done', { count: saved, figure: words.count(saved), name })]
      if (left > 0) sentences.push(t('export.without', { count: left, figure: words.count(left) }))
      toast(sentences.join(' '))
    } catch (error) {
      toast(t('export.failed', { why: error instanceof Error ? error.message : '' }), { bad: true })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Menu
      items={[
        ...(found?.matches === 0 ? [] : FORMATS).map((format) => ({
          label: t(`export.${format}`),
          onSelect: () => inBackground('export-menu.save', () => save(format)),
        })),
        ...(hasFavourites ? (['gpx', 'cup'] as const) : []).map((format) => ({
          label: t(`favourites.${format}`),
          onSelect: () => inBackground('export-menu.save', () => save(format, 'favourites')),
        })),
        { label: t('favourites.fromFile'), onSelect: chooseFavourites },
      ]}
    >
      <Button title={t('export.button')} disabled={isBusy || (found?.total ?? 0) === 0}>
        <Download size={14} aria-hidden />
        <span className="chargers-words">{t('export.button')}</span>
      </Button>
    </Menu>
  )
}
