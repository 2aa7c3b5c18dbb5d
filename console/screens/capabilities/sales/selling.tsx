import { Payments } from '../pay/payments.tsx'
import { Sales } from './sales.tsx'

/** What the live app sells, and what it has sold. */
export function Selling({ projectId }: { projectId: string }) {
  return (
    <div className="space-y-8">
      <Payments projectId={projectId} />
      <Sales projectId={projectId} />
    </div>
  )
}
