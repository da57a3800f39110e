import { useTranslation } from 'react-i18next'
import type { SiteDetail } from '../data/charger-set.ts'
import { ChargerLine } from '../list/charger-line.tsx'
import { choose } from '../store/chargers-actions.ts'
import { useWords } from '../use-words.ts'

/** The chargers behind one marker. */
export function SiteList({ site: { found, hidden }, siteKey }: { site: SiteDetail; siteKey: string }) {
  const { t } = useTranslation('chargers')
  const words = useWords()
  const figures = (count: number) => ({ count, figure: words.count(count) })
  return (
    <>
      <p className="secondary">{t('site.title', figures(found.length))}</p>
      <ul className="chargers-site">
        {found.map((one) => (
          <li key={one.charger.id}>
            <button
              type="button"
              className="chargers-line"
              onClick={() => choose({ kind: 'charger', id: one.charger.id, fromSite: siteKey })}
            >
              <ChargerLine one={one} words={words} />
            </button>
          </li>
        ))}
      </ul>
      {hidden === 0 ? null : <p className="secondary">{t('site.hidden', figures(hidden))}</p>}
    </>
  )
}
