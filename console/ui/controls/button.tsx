import { Button as KitButton } from '@cloudflare/kumo/components/button'
import { Loader } from '@cloudflare/kumo/components/loader'
import type { ComponentProps, MouseEvent } from 'react'

export type ButtonProps = ComponentProps<typeof KitButton>

/**
 * The library's button, except that while loading it is not disabled, which would lose the focus; it ignores
 * presses.
 */
export function Button({ loading = false, ...button }: ButtonProps) {
  if (!loading) return <KitButton {...button} />
  const { className = '', size } = button
  return (
    <KitButton
      {...button}
      disabled={false}
      aria-disabled="true"
      aria-busy="true"
      icon={<Loader size={size === 'lg' ? 16 : 14} />}
      className={`cursor-progress! opacity-60 ${className}`}
      onClick={doNothing}
    />
  )
}

/** Also prevents the submission of a form, because Enter presses this button. */
const doNothing = (event: MouseEvent) => event.preventDefault()
