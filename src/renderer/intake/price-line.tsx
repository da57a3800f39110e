import { useTranslation } from 'react-i18next'
import type { Price } from '../../shared/contract/intake.ts'
import { countText } from '../text/figures.ts'
import './price-line.css'

/** A price, and the balance with what would be left of it. */
export function PriceLine({ price }: { price: Omit<Price, 'images'> }) {
  const { t, i18n } = useTranslation('intake')
  const { required, balance, shortfall, atMost } = price
  const count = (figure: number) => countText(figure, i18n.language)
  return (
    <p className="price figures">
      <strong>{t(atMost ? 'price.atMost' : 'price.about', { count: required, shown: count(required) })}</strong>{' '}
      <span className="secondary">
        {shortfall > 0
          ? t('price.balance', { balance: count(balance) })
          : t('price.left', { balance: count(balance), left: count(balance - required) })}
      </span>
    </p>
  )
}
