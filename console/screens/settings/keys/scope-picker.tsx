import { useId } from 'react'
import { KEY_SCOPES, type Scope } from '../../../api/types.ts'
import { settingsText } from '../../../text/settings.en.ts'

/** The scopes selected by default. `deploy:write` must be chosen explicitly, because it changes live apps. */
export const DEFAULT_SCOPES = KEY_SCOPES.filter((scope) => scope !== 'deploy:write')

export function ScopePicker(props: {
  scopes: Scope[]
  problem: string | undefined
  onChange: (scopes: Scope[]) => void
}) {
  const id = useId()
  const toggle = (scope: Scope, on: boolean) =>
    props.onChange(KEY_SCOPES.filter((other) => (other === scope ? on : props.scopes.includes(other))))
  const row = (scope: Scope) => (
    <label
      key={scope}
      className="flex min-h-9 cursor-pointer items-center gap-3 rounded-md px-2 hover:bg-kumo-tint"
    >
      <input
        type="checkbox"
        checked={props.scopes.includes(scope)}
        onChange={(event) => toggle(scope, event.target.checked)}
        className="size-4 shrink-0"
      />
      <span className="min-w-0 flex-1">{settingsText.keys.scopeSentences[scope]}</span>
      <code className="font-mono text-xs text-kumo-subtle max-sm:hidden">{scope}</code>
    </label>
  )
  return (
    <fieldset aria-describedby={`${id}-note`} className="min-w-0">
      <legend className="mb-1.5 text-[13px] font-medium">{settingsText.keys.scopes}</legend>
      {DEFAULT_SCOPES.map(row)}
      <div className="mt-2 border-t border-kumo-hairline pt-2">
        {row('deploy:write')}
        <p className="px-2 pl-9 text-[13px] text-kumo-warning">{settingsText.keys.shipWarning}</p>
      </div>
      <p id={`${id}-note`} role="alert" className="mt-1 px-2 text-[13px] text-removed empty:hidden">
        {props.problem}
      </p>
    </fieldset>
  )
}
