import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useShell } from '../store/shell-store.ts'
import { useView } from '../store/view-store.ts'
import { countText } from '../text/figures.ts'

/** The window's title: how far the work is while there is some, else the place. */
export function useDocumentTitle(): void {
  const { t, i18n } = useTranslation('frame')
  const place = useView((view) => view.place)
  const total = useShell(({ state }) => state?.progress.total ?? 0)
  const ended = useShell(({ state }) => state?.progress.ended ?? 0)
  useEffect(() => {
    const count = (figure: number) => countText(figure, i18n.language)
    const isWorking = total > ended
    const what = isWorking
      ? t('titleWorking', { ended: count(ended), total: count(total) })
      : t(`places.${place}`, { ns: 'common' })
    document.title = t('title', { what })
  }, [t, i18n, place, total, ended])
}
