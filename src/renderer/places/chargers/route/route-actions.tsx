import { Download, Link, Printer } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { PlannedRoute } from '../../../../shared/chargers/route/plan-routes.ts'
import {
  routeCsv,
  routeGeoJson,
  routeGpx,
  type RouteFileOptions,
} from '../../../../shared/chargers/exports/route-files.ts'
import { localDay } from '../../../../shared/runtime/local-day.ts'
import { useShell } from '../../../store/shell-store.ts'
import { Button } from '../../../parts/button.tsx'
import { Menu } from '../../../parts/menu.tsx'
import { saveText } from '../../../parts/save-text.ts'
import { useRouteWords } from './route-words.ts'
import { toast } from '../../../parts/toasts.tsx'

const FORMATS = ['gpx', 'geojson', 'csv'] as const
type Format = (typeof FORMATS)[number]

const BYTE_ORDER_MARK = '\uFEFF'

/** Exports the route as a file, prints it, or copies a link to it. */
export function RouteActions({ route }: { route: PlannedRoute }) {
  const { t } = useTranslation('chargers')
  const sample = useShell(({ state }) => state?.chargers.status.sample ?? false)
  const words = useRouteWords()
  const save = (format: Format) => {
    const name = `${sample ? 'sample-' : ''}route-${localDay(Date.now())}.${format}`
    const { type, text } = fileOf(route, format, { sample, noteText: words.datedNote })
    saveText(name, type, text)
    toast(t('route.fileSaved', { name }))
  }
  const copyLink = () => {
    navigator.clipboard.writeText(location.href).then(
      () => toast(t('route.linkCopied')),
      () => toast(t('route.linkNotCopied'), { bad: true }),
    )
  }
  return (
    <div className="chargers-facts-actions">
      <Menu items={FORMATS.map((format) => ({ label: t(`route.export.${format}`), onSelect: () => save(format) }))}>
        <Button>
          <Download size={14} aria-hidden />
          {t('export.button')}
        </Button>
      </Menu>
      <Button onClick={() => print()}>
        <Printer size={14} aria-hidden />
        {t('route.print')}
      </Button>
      <Button onClick={copyLink}>
        <Link size={14} aria-hidden />
        {t('route.copyLink')}
      </Button>
    </div>
  )
}

function fileOf(route: PlannedRoute, format: Format, options: RouteFileOptions): { type: string; text: string } {
  switch (format) {
    case 'gpx':
      return { type: 'application/gpx+xml', text: routeGpx(route, options) }
    case 'geojson':
      return { type: 'application/geo+json', text: JSON.stringify(routeGeoJson(route, options)) }
    case 'csv':
      return { type: 'text/csv;charset=utf-8', text: BYTE_ORDER_MARK + routeCsv(route, options) }
  }
}
