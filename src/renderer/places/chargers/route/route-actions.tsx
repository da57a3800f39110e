import { Download, Link, Printer } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { PlannedRoute } from '../../../../shared/chargers/route/plan-routes.ts'
import { FILE_FORMATS, type FileFormat } from '../../../../shared/chargers/exports/charger-files.ts'
import { routeFile } from '../../../../shared/chargers/exports/route-files.ts'
import { useCan, useShell } from '../../../store/shell-store.ts'
import { Button } from '../../../parts/button.tsx'
import { Menu } from '../../../parts/menu.tsx'
import { inBackground } from '../../../bridge/in-background.ts'
import { saveChargers } from '../../../store/save-text.ts'
import { useRouteWords } from './route-words.ts'
import { toast } from '../../../store/toasts.ts'

/** Exports the route as a file, prints it, or copies a link to it. */
export function RouteActions({ route }: { route: PlannedRoute }) {
  const { t } = useTranslation('chargers')
  const sample = useShell(({ state }) => state?.chargers.status.sample ?? false)
  const words = useRouteWords()
  const canLink = useCan('pageLinks')
  const save = async (format: FileFormat) => {
    const text = routeFile(route, format, { sample, words })
    const name = await saveChargers(`${sample ? 'sample-' : ''}route`, format, text)
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
        items={FILE_FORMATS.map((format) => ({
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
