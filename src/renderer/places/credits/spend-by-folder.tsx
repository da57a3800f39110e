import { useTranslation } from 'react-i18next'
import { straightText } from '../../../shared/text/safe-characters.ts'
import type { CreditHistory } from '../../../shared/contract/credits.ts'
import { countText } from '../../text/figures.ts'

export function SpendByFolder({ history }: { history: CreditHistory }) {
  const { t, i18n } = useTranslation('credits')
  const rows = history.folders.toSorted((a, b) => b.sent - a.sent)
  const most = Math.max(1, ...rows.map(({ sent }) => sent))
  const name = (folderId: string | null, path: string | null) =>
    path === null ? t(folderId === null ? 'single' : 'removedFolder') : straightText(path)
  return (
    <section className="credits-part">
      <h2>{t('byFolder')}</h2>
      {rows.length === 0 ? (
        <p className="secondary">{t('nothingSpent')}</p>
      ) : (
        <table className="credits-folders figures" aria-label={t('byFolder')}>
          <thead>
            <tr>
              <th scope="col">{t('folder')}</th>
              <th scope="col">{t('sent')}</th>
              <th scope="col">{t('spent')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ folderId, path, sent, credits }) => (
              <tr key={folderId ?? ''}>
                <th scope="row">
                  <span className="ellipsis" dir="auto" title={name(folderId, path)}>
                    {name(folderId, path)}
                  </span>
                  <span className="credits-bar" style={{ width: `${(sent / most) * 100}%` }} />
                </th>
                <td>{countText(sent, i18n.language)}</td>
                <td>{credits === null ? t('unknown') : countText(Math.round(credits), i18n.language)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}
