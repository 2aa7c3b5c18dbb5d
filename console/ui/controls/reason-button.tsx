import { Tooltip } from '@cloudflare/kumo/components/tooltip'
import { Button, type ButtonProps } from './button.tsx'

/** A button that, while disabled, stays focusable, shows the reason and does not submit a form. */
export function ReasonButton({ reason, ...button }: ButtonProps & { reason: string | null }) {
  const { onClick: _ignored, className = '', ...rest } = button
  return (
    // Render the tooltip with and without a reason. Otherwise a change of the reason would replace the element, and the button would lose
    // the focus.
    <Tooltip
      content={reason}
      disabled={reason === null}
      className={reason === null ? 'cursor-pointer' : 'cursor-default'}
      render={
        reason === null ? (
          <Button {...button} />
        ) : (
          <Button
            {...rest}
            variant="secondary"
            aria-disabled="true"
            aria-description={reason}
            className={`opacity-60 ${className}`}
            onClick={(event) => event.preventDefault()}
          />
        )
      }
    />
  )
}
