/** Every plan, the smallest first. */
export const PLANS = ['free', 'starter', 'pro', 'enterprise'] as const
export type Plan = (typeof PLANS)[number]

/** The plans that are sold. The operator alone grants `enterprise`. */
export const SOLD_PLANS = ['starter', 'pro'] as const
export type SoldPlan = (typeof SOLD_PLANS)[number]

interface PlanCaps {
  projects: number
  liveProjects: number
  buildsPerHour: number
}

/** What each plan allows (docs/limits.md#plans). */
export const PLAN_CAPS: Readonly<Record<Plan, PlanCaps>> = {
  free: { projects: 10, liveProjects: 1, buildsPerHour: 100 },
  starter: { projects: 50, liveProjects: 5, buildsPerHour: 300 },
  pro: { projects: 200, liveProjects: 25, buildsPerHour: 1000 },
  enterprise: { projects: Infinity, liveProjects: Infinity, buildsPerHour: Infinity },
}
