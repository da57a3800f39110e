import { jsonText } from '../../../../shared/text/safe-characters.ts'
import { Download, Link, Printer } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { PlannedRoute } from '../../../../shared/chargers/route/plan-routes.ts'
import {
  routeCsv,
  routeCup,
  routeGeoJson,
  routeGpx,
  type RouteFileOptions,
} from '../../../../shared/chargers/exports/route-files.ts'
import { today } from '../../../../shared/runtime/local-day.ts'
import { useCan, useShell } from '../../../store/shell-store.ts'
import { Button } from '../../../parts/button.tsx'
import { Menu } from '../../../parts/menu.tsx'
import { inBackground } from '../../../bridge/in-background.ts'
import { saveText } from '../../../store/save-text.ts'
import { useRouteWords } from './route-words.ts'
import { toast } from '../../../store/toasts.ts'

const FORMATS = ['gpx', 'cup', 'geojson', 'csv'] as const
type Format = (typeof FORMATS)[number]

const BYTE_ORDER_MARK = '\uFEFF'

/** Exports the route as a file, prints it, or copies a link to it. */
export function RouteActions({ route }: { route: PlannedRoute }) {
  const { t } = useTranslation('chargers')
  const sample = useShell(({ state }) => state?.chargers.status.sample ?? false)
  const words = useRouteWords()
  const canLink = useCan('pageLinks')
  const save = async (format: Format) => {
    const filename = `${sample ? 'sample-' : ''}route-${today()}.${format}`
    const { type, text } = fileOf(route, format, {
      sample,
      noteText: words.datedNote,
      daylightText: words.datedDaylight,
    })
    const name = await saveText(filename, type, text)
    if (name !== null) toast(t('route.fileSaved', { name }))
  }
  const copyLink = () => {
    navigator.clipboard.writeText(location.href).then(
      () => toast(t('route.linkCopied')),
      () => toast(t('route.linkNotCopied'), { bad: true }),
    )
  }
  return (
    <div className="chargers-facts-actions">
      <Menu
        items={FORMATS.map((format) => ({
          label: t(`route.export.${format}`),
          onSelect: () => inBackground('route-actions.save', () => save(format)),
        }))}
      >
        <Button>
          <Download size={14} aria-hidden />
          {t('export.button')}
        </Button>
      </Menu>
      <Button onClick={() => print()}>
        <Printer size={14} aria-hidden />
        {t('route.print')}
      </Button>
      {canLink ? (
        <Button onClick={copyLink}>
          <Link size={14} aria-hidden />
          {t('route.copyLink')}
        </Button>
      ) : null}
    </div>
  )
}

function fileOf(route: PlannedRoute, format: Format, options: RouteFileOptions): { type: string; text: string } {
  switch (format) {
    case 'gpx':
      return { type: 'application/gpx+xml', text: routeGpx(route, options) }
    case 'cup':
      return { type: 'text/csv;charset=utf-8', text: routeCup(route, options) }
    case 'geojson':
      return { type: 'application/geo+json', text: jsonText(routeGeoJson(route, options)) }
    case 'csv':
      return { type: 'text/csv;charset=utf-8', text: BYTE_ORDER_MARK + routeCsv(route, options) }
  }
}
