import { Button as KitButton } from '@cloudflare/kumo/components/button'
import { Loader } from '@cloudflare/kumo/components/loader'
import type { ComponentProps, MouseEvent } from 'react'

export type ButtonProps = ComponentProps<typeof KitButton>

/**
 * The library's button with another loading state. A loading button ignores presses but is not disabled, because a disabled button loses
 * the focus.
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

/** Also prevents the default action: a click of this button, or Enter in a field of its form, would submit the form. */
const doNothing = (event: MouseEvent) => event.preventDefault()
