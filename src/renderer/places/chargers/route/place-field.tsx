import { listText } from '../../../text/figures.ts'
import { useId, type ReactNode } from 'react'
import { t } from 'i18next'
import type { PlaceAnswer } from '../../../../shared/chargers/route/read-place.ts'
import type { NamedPlace } from '../../../../shared/chargers/route/route-plan.ts'
import { useStateOf } from '../../../parts/use-state-of.ts'
import { FieldError } from '../../../parts/field.tsx'
import { comboboxOf, SuggestionList, useSuggestions } from '../../../parts/suggestions.tsx'
import type { OwnPlace } from '../../../../shared/chargers/route/own-places.ts'
import { useOwnPlaces } from '../../../store/own-places.ts'
import { chargerIndex } from '../store/chargers-store.ts'
import * as words from '../charger-words.ts'

const MAX_SUGGESTED = 5

type Wrong = Exclude<PlaceAnswer, { kind: 'found' }>

export function PlaceField(given: {
  label: string
  place: NamedPlace | null
  onPlace: (place: NamedPlace | null) => void
  children?: ReactNode
}) {
  const { label, place, onPlace, children } = given
  const id = useId()
  const { text, suggested, wrong, type, take, settle, forget } = useTypedPlace(place, onPlace)
  const list = useSuggestions(suggested, String, take)
  const wrongText = (answer: Wrong) => {
    if (answer.kind === 'several') return t('chargers:route.several', { places: listText(answer.names) })
    return t(answer.kind === 'unknown' ? 'chargers:route.unknownPlace' : 'chargers:route.noDegrees')
  }
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="chargers-route-place">
        <input
          id={id}
          className="input"
          data-takes-focus={place === null ? '' : undefined}
          {...comboboxOf(id, list)}
          value={text}
          placeholder={t('chargers:route.placeHint')}
          dir="auto"
          aria-invalid={wrong !== null}
          aria-describedby={wrong === null ? undefined : `${id}-wrong`}
          onChange={(event) => {
            type(event.target.value)
            list.setOpen(true)
            list.setActive(null)
          }}
          onBlur={() => {
            list.setOpen(false)
            settle()
          }}
          onKeyDown={(event) => {
            if (list.onKeyDown(event)) return
            if (event.key === 'Enter') settle()
            // Else it would leave the planner, and what is typed with it.
            if (event.key === 'Escape' && forget()) event.stopPropagation()
          }}
        />
        {children}
        <SuggestionList id={id} label={t('chargers:suggestions')} of={list}>
          {(name) => <bdi>{name}</bdi>}
        </SuggestionList>
      </div>
      <FieldError id={`${id}-wrong`} text={wrong === null ? null : wrongText(wrong)} />
    </div>
  )
}

/** What is typed until it is taken: on leaving the field, with Enter, or when it is one of the suggestions. */
function useTypedPlace(place: NamedPlace | null, onPlace: (place: NamedPlace | null) => void) {
  // What was typed gives way to a place that comes from elsewhere.
  const [typed, setTyped] = useStateOf<string | null>(JSON.stringify(place), null)
  const [wrong, setWrong] = useStateOf<Wrong | null>(JSON.stringify(place), null)
  const found = typed === null ? [] : chargerIndex.suggest(typed)
  const own = useOwnPlaces()
  const text = typed ?? place?.name ?? ''
  /** False if nothing was typed. */
  const forget = () => {
    setTyped(null)
    setWrong(null)
    return typed !== null
  }
  const take = (given: string) => {
    const answer = given.trim() === '' ? null : chargerIndex.place(given, own)
    if (answer !== null && answer.kind !== 'found') return setWrong(answer)
    forget()
    onPlace(answer?.place ?? null)
  }
  const isNamed = ({ name }: OwnPlace) => name.toUpperCase().includes(text.trim().toUpperCase())
  const ownNames = own.filter(isNamed).slice(0, MAX_SUGGESTED)
  const suggested = [...new Set([...ownNames.map(({ name }) => name), ...found.map(words.name)])]
  const type = (value: string) => {
    setWrong(null)
    setTyped(value)
    if (suggested.includes(value)) take(value)
  }
  const settle = () => {
    if (typed !== null) take(typed)
  }
  return { text, suggested, wrong, type, take, settle, forget }
}
