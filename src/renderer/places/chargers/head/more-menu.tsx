import { Ellipsis } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { today } from '../../../../shared/runtime/local-day.ts'
import { askOrToast } from '../../../store/bridge.ts'
import { inBackground } from '../../../bridge/in-background.ts'
import { chooseWaypoints } from '../../../store/own-places.ts'
import { saveText } from '../../../store/save-text.ts'
import { useShell } from '../../../store/shell-store.ts'
import { toast } from '../../../store/toasts.ts'
import { IconButton } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { Menu } from '../../../parts/menu.tsx'
import type { ExportFormat } from '../data/export-text.ts'
import { Legend } from '../map/legend.tsx'
import { chargerSet, useChargers } from '../store/chargers-store.ts'
import { useWords } from '../use-words.ts'
import type { FoundWaypoints } from './favourites-import.tsx'

const FORMATS: readonly ExportFormat[] = ['csv', 'geojson', 'gpx', 'cup']
const FavouritesImport = lazy(() => import('./favourites-import.tsx'))

/** What one seldom needs: refresh, legend, files. */
export function MoreMenu() {
  const { t } = useTranslation(['chargers', 'common'])
  const isRefreshing = useShell(({ state }) => state?.chargers.status.refreshing ?? false)
  const hasFavourites = useShell(({ state }) => (state?.chargers.favourites.length ?? 0) > 0)
  const matches = useChargers(({ found }) => found?.matches ?? 0)
  const [isLegendOpen, setLegendOpen] = useState(false)
  const [waypoints, setWaypoints] = useState<FoundWaypoints | null>(null)
  const save = useSave()
  const saved = (label: string, of: 'matches' | 'favourites', format: ExportFormat) => ({
    label,
    disabled: of === 'matches' && matches === 0,
    onSelect: () => inBackground('more-menu.save', () => save(of, format)),
  })
  return (
    <>
      <Menu
        items={[
          {
            label: t('refresh'),
            disabled: isRefreshing,
            onSelect: () => inBackground('chargers.refresh', () => askOrToast('chargers.refresh', {})),
          },
          { label: t('map.legend'), onSelect: () => setLegendOpen(true) },
          null,
          ...FORMATS.map((format) => saved(`${t('export.button')}: ${t(`export.${format}`)}`, 'matches', format)),
          null,
          ...(hasFavourites ? (['gpx', 'cup'] as const) : []).map((format) =>
            saved(t(`favourites.${format}`), 'favourites', format),
          ),
          {
            label: t('favourites.fromFile'),
            onSelect: () =>
              chooseWaypoints((places) => {
                setWaypoints(chargerSet.waypoints(places))
                return Promise.resolve(null)
              }),
          },
        ]}
      >
        <IconButton kind="plain" label={t('common:more')}>
          <Ellipsis size={16} aria-hidden />
        </IconButton>
      </Menu>
      {isLegendOpen ? (
        <Dialog title={t('map.legend')} onClose={() => setLegendOpen(false)}>
          <Legend />
        </Dialog>
      ) : null}
      {waypoints === null ? null : (
        <Suspense fallback={null}>
          <FavouritesImport found={waypoints} onClose={() => setWaypoints(null)} />
        </Suspense>
      )}
    </>
  )
}

/** Saves what is found, or all favourites, as a file. */
function useSave() {
  const { t } = useTranslation('chargers')
  const words = useWords()
  const sample = useShell(({ state }) => state?.chargers.status.sample ?? false)
  return async (of: 'matches' | 'favourites', format: ExportFormat) => {
    const { type, text, count, unplaced } = chargerSet.export(of, format, sample)
    const what = of === 'matches' ? 'chargers' : 'favourites'
    const name = await saveText(`${sample ? 'sample-' : ''}${what}-${today()}.${format}`, type, text)
    if (name === null) return
    const left = format === 'csv' ? 0 : unplaced
    const saved = count - left
    const sentences = [t('export.done', { count: saved, figure: words.count(saved), name })]
    if (left > 0) sentences.push(t('export.without', { count: left, figure: words.count(left) }))
    toast(sentences.join(' '))
  }
}
