import { t } from 'i18next'
import { isFiltered } from '../../store/jobs-filter.ts'
import { clearFilter, refreshList, useJobs } from '../../store/jobs-store.ts'
import { useShell } from '../../store/shell-store.ts'
import { errorText } from '../../store/error-text.ts'
import { Button } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { useLate } from '../../parts/use-late.ts'

export function ListNotice() {
  const phase = useJobs((state) => state.phase)
  const error = useJobs((state) => state.error)
  const isFilteredNow = useJobs(({ filter }) => isFiltered(filter))
  const isReading = useShell(({ state }) => state?.reading != null)
  if (phase === 'loading') return <Loading />
  if (phase === 'failed')
    return (
      <div className="jobs-notice" role="alert">
        <Empty text={t('jobs:loadFailed', { message: error === null ? '' : errorText(error) })}>
          <Button onClick={refreshList}>{t('common:retry')}</Button>
        </Empty>
      </div>
    )
  // An unfiltered list that has no pictures yet is read again in a moment.
  if (!isFilteredNow && !isReading) return <Loading />
  return (
    <div className="jobs-notice" role="status">
      <Empty text={t(isFilteredNow ? 'jobs:noMatch' : 'jobs:readingNow')}>
        {isFilteredNow ? <Button onClick={clearFilter}>{t('jobs:clearFilter')}</Button> : null}
      </Empty>
    </div>
  )
}

function Loading() {
  return useLate() ? (
    <div className="jobs-notice" role="status">
      <Empty text={t('common:loading')} />
    </div>
  ) : null
}
