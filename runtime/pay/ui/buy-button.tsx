import { useAction } from '../../web/use-action.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { pay } from '../client.ts'

interface BuyButtonProps {
  productId: string
  /** A discount code that the person has entered. */
  code?: string
  children?: string
}

/** A button that opens the Stripe page on which the product is paid. An error is shown beside the button. */
export function BuyButton({ productId, code, children = 'Buy' }: BuyButtonProps) {
  const { busy, problem, run } = useAction(async () => {
    const { url } = await pay.checkout(productId, code === undefined || code === '' ? {} : { code })
    location.assign(url)
  })
  return (
    <>
      <Button kind="primary" busy={busy} onClick={run}>
        {children}
      </Button>
      {problem !== null && <Notice>{problem.text}</Notice>}
    </>
  )
}
