import { useState } from 'react'
import { t } from 'i18next'
import { SegmentedField, TextField } from '../parts/field.tsx'
import type { FieldProps } from './recipe-draft.ts'

/** The service's project that uploads go to. Typed text is kept while the person tries the other choices. */
export function ProjectField({ draft: { project }, change, error }: FieldProps) {
  const [typed, setTyped] = useState({
    id: project?.kind === 'id' ? project.id : '',
    name: project?.kind === 'name' ? project.name : '',
  })
  const kind = project?.kind ?? 'none'
  const take = (next: 'none' | 'id' | 'name', { id, name } = typed) => {
    setTyped({ id, name })
    change({ project: next === 'none' ? null : next === 'id' ? { kind: 'id', id } : { kind: 'name', name } })
  }
  return (
    <SegmentedField
      label={t('recipe:project.label')}
      value={kind}
      onChange={(next) => take(next)}
      choices={[
        { value: 'none', label: t('recipe:project.none') },
        { value: 'name', label: t('recipe:project.byName') },
        { value: 'id', label: t('recipe:project.byId') },
      ]}
    >
      {kind === 'none' ? null : (
        <TextField
          key={kind}
          label={t(`recipe:project.${kind}`)}
          hint={kind === 'id' ? t('recipe:project.idHint') : undefined}
          error={error}
          value={typed[kind]}
          dir="auto"
          spellCheck={kind === 'name'}
          onChange={(event) => take(kind, { ...typed, [kind]: event.target.value })}
        />
      )}
      <div className="field-hint">{t(`recipe:project.hint.${kind}`)}</div>
    </SegmentedField>
  )
}
