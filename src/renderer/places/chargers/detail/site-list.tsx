import { useTranslation } from 'react-i18next'
import { ChargerLine } from '../list/charger-line.tsx'
import type { SiteDetail } from '../data/row.ts'
import { choose } from '../store/chargers-actions.ts'
import { useWords } from '../use-words.ts'

/** The chargers behind one marker. */
export function SiteList({ site, siteKey }: { site: SiteDetail; siteKey: string }) {
  const { t } = useTranslation('chargers')
  const words = useWords()
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
              <ChargerLine row={row} words={words} />
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
