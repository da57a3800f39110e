import { useTranslation } from 'react-i18next'
import type { LeftOut } from '../../../../shared/chargers/route/route-network.ts'
import { useRouteWords } from './route-words.ts'

/** How many chargers the route does not use, and why. */
export function LeftOutList({ leftOut }: { leftOut: LeftOut }) {
  const { t } = useTranslation('chargers')
  const texts = useRouteWords().leftOut(leftOut)
  if (texts.length === 0) return null
  return (
    <div className="secondary">
      {t('route.leftOutTitle')}
      <ul className="chargers-route-left">
        {texts.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </div>
  )
}
