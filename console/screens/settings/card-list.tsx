import type { ReactNode } from 'react'
import { Bar, Skeleton } from '../../ui/page/skeleton.tsx'

export function CardList({ children }: { children: ReactNode }) {
  return <ul className="space-y-3">{children}</ul>
}

export function Card({ children }: { children: ReactNode }) {
  return <li className="rounded-xl bg-kumo-base p-4 ring-1 ring-kumo-line">{children}</li>
}

export function CardSkeleton() {
  return (
    <Skeleton>
      <div className="space-y-3">
        {[1, 2].map((row) => (
          <div key={row} className="space-y-3 rounded-xl bg-kumo-base p-4 ring-1 ring-kumo-line">
            <Bar className="w-1/3" />
            <Bar className="w-2/3" />
          </div>
        ))}
      </div>
    </Skeleton>
  )
}
