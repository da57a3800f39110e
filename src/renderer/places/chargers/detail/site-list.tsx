import { useTranslation } from 'react-i18next'
import { ChargerLine } from '../list/charger-line.tsx'
import type { SiteDetail } from '../data/protocol.ts'
import { choose } from '../store/chargers-actions.ts'
import { useRouteWords } from '../route/route-words.ts'
import { useWords } from '../use-words.ts'

/** The chargers behind one marker. */
export function SiteList({ site, siteKey }: { site: SiteDetail; siteKey: string }) {
  const { t } = useTranslation('chargers')
  const words = useWords()
  const routeWords = useRouteWords()
  const { rows, hidden } = site
  return (
    <>
      <p className="secondary">{t('site.title', { count: rows.length, figure: words.count(rows.length) })}</p>
      <ul className="chargers-site">
        {rows.map((row) => (
          <li key={row.id}>
            <button
              type="button"
              className="chargers-line"
              onClick={() => choose({ kind: 'charger', id: row.id, fromSite: siteKey })}
            >
              <ChargerLine row={row} words={words} routeWords={routeWords} />
            </button>
          </li>
        ))}
      </ul>
      {hidden === 0 ? null : (
        <p className="secondary">{t('site.hidden', { count: hidden, figure: words.count(hidden) })}</p>
      )}
    </>
  )
}
