import { type Json, Problem, parsePointer, startsWithSegments } from '@memhall/core';
import type { DocumentPlace } from '../../ports/document-checkpoints.js';
import { findPathFault } from './document-path.js';
import { findTemplateFault, PathTemplate } from './path-template.js';
import {
  type BindingSource,
  type FactRuleSource,
  maxDocumentChars,
  type ProfileSource,
  type writeModes,
} from './profile-shape.js';

/** The role of a section of a document. */
export type SectionRole = 'durable_facts' | 'pending' | 'preferences' | 'routing' | 'notes' | 'summary';

interface PathRule {
  /** Segments from the root of the document's body. */
  segments: readonly string[];
  classification: string | null;
}

/** A place whose values agree with facts: a string, or a list of strings or of objects with a text. */
export interface FactRule {
  /** Segments from the root of the document's body. */
  segments: readonly string[];
  /** What the values are values of; undefined if they are texts that state something. */
  attribute: string | undefined;
  /** Whom they are about. */
  subject: PathTemplate;
}

export interface Binding {
  bindingId: string;
  namespace: string;
  template: PathTemplate;
  legacyTemplates: readonly { namespace: string; template: PathTemplate }[];
  schemaId: string;
  schemaVersion: string;
  maxChars: number;
  readPriority: number;
  writeMode: (typeof writeModes)[number];
  maxOps: number;
  initial: { [key: string]: Json };
  writable: readonly PathRule[];
  denied: readonly (readonly string[])[];
  redactsSecrets: boolean;
  /** Maximum number of elements of array members of the content, by member name. */
  arrayLimits: ReadonlyMap<string, number>;
  factRules: readonly FactRule[];
}

/** A parsed profile. */
export interface Profile {
  profileId: string;
  bindings: readonly Binding[];
  /** Segments from the root of the document's body; the first is `content`. */
  sections: Partial<Record<SectionRole, readonly string[]>>;
  minConfidenceForDurableFact: number;
  minConfidenceForAutoApply: number;
  onLowConfidence: 'refuse' | 'pending';
  /** Age of its last verification at which a durable fact is stale; null for no limit. */
  staleAfterDays: number | null;
  retentionDays: { snapshots: number | null; events: number | null; audit: number | null };
}

const defaultMaxOps = 100;

/** Parses a profile whose shape has been checked. Throws INVALID_REQUEST for faults that a shape cannot express. */
export function toProfile(profileId: string, source: ProfileSource): Profile {
  if (source.profile_id !== undefined && source.profile_id !== profileId) {
    throw invalid('profile_id', `is ${source.profile_id}, but the profile is called ${profileId}`);
  }
  const ids = source.document_bindings.map(({ binding_id }) => binding_id);
  const repeated = ids.find((id, index) => ids.indexOf(id) !== index);
  if (repeated !== undefined) throw invalid('document_bindings', `names the binding ${repeated} twice`);
  for (const rules of ['writable_path_rules', 'compaction_rules', 'fact_rules'] as const) {
    const unknown = Object.keys(source[rules] ?? {}).find((id) => !ids.includes(id));
    if (unknown !== undefined) throw invalid(rules, `names ${unknown}, which is not one of the bindings`);
  }
  const confidence = source.confidence_rules ?? {};
  const retention = source.retention_rules ?? {};
  return {
    profileId,
    bindings: source.document_bindings.map((binding) => toBinding(source, binding)),
    sections: Object.fromEntries(
      Object.entries(source.sections ?? {}).map(([role, pointer]) => [role, fromContent(pointer)]),
    ),
    minConfidenceForDurableFact: confidence.min_confidence_for_durable_fact ?? 0,
    minConfidenceForAutoApply: confidence.min_confidence_for_auto_apply ?? 0,
    onLowConfidence: confidence.on_low_confidence ?? source.on_low_confidence ?? 'refuse',
    staleAfterDays: source.freshness_rules?.stale_after_days ?? null,
    retentionDays: {
      snapshots: retention.snapshots_days ?? null,
      events: retention.events_days ?? null,
      audit: retention.audit_days ?? null,
    },
  };
}

function toBinding(profile: ProfileSource, source: BindingSource): Binding {
  const { binding_id: bindingId, namespace } = source;
  const rules = memberOf(profile.writable_path_rules, bindingId) ?? [];
  const limits = memberOf(profile.compaction_rules, bindingId) ?? {};
  const template = toTemplate(source);
  const denied = (source.deny_paths ?? []).map((pointer) => ['content', ...parsePointer(pointer)]);
  return {
    bindingId,
    namespace,
    template,
    legacyTemplates: (source.legacy_paths ?? []).map((legacy) =>
      typeof legacy === 'string'
        ? { namespace, template: checkedTemplate(bindingId, legacy) }
        : { namespace: legacy.namespace, template: checkedTemplate(bindingId, legacy.path) },
    ),
    schemaId: source.schema_id,
    schemaVersion: source.schema_version,
    maxChars: source.max_chars ?? maxDocumentChars,
    readPriority: source.read_priority ?? 100,
    writeMode: source.write_mode ?? 'restricted_patch',
    maxOps: source.max_ops ?? defaultMaxOps,
    initial: (source.initial ?? {}) as { [key: string]: Json },
    writable: rules.map((rule) =>
      typeof rule === 'string'
        ? { segments: ['content', ...parsePointer(rule)], classification: null }
        : { segments: ['content', ...parsePointer(rule.path)], classification: rule.classification ?? null },
    ),
    redactsSecrets: source.redact_secrets ?? false,
    denied,
    arrayLimits: new Map(Object.entries(limits).map(([name, limit]) => [name.slice('max_'.length), limit])),
    factRules: (memberOf(profile.fact_rules, bindingId) ?? []).map((rule) =>
      toFactRule(bindingId, rule, { template, denied }),
    ),
  };
}

function toFactRule(
  bindingId: string,
  { path, attribute, subject = 'me' }: FactRuleSource,
  { template, denied }: Pick<Binding, 'template' | 'denied'>,
): FactRule {
  const segments = fromContent(path);
  if (denied.some((place) => startsWithSegments(place, segments))) {
    throw invalid('fact_rules', `names ${path} of ${bindingId}, which is one of its deny_paths`);
  }
  const fault = findTemplateFault(subject);
  if (fault !== undefined) throw invalid('fact_rules', `has the subject ${JSON.stringify(subject)}, which ${fault}`);
  const made = new PathTemplate(subject);
  const unknown = made.variables.find((name) => !template.variables.includes(name));
  if (unknown !== undefined) throw invalid('fact_rules', `uses {${unknown}}, which is not in the path of ${bindingId}`);
  return { segments, attribute, subject: made };
}

/** Ignores inherited members: a binding may have the name of one. */
function memberOf<T>(members: Record<string, T> | undefined, name: string): T | undefined {
  return members !== undefined && Object.hasOwn(members, name) ? members[name] : undefined;
}

/** Sections may be given with or without the leading /content. */
function fromContent(pointer: string): string[] {
  const segments = parsePointer(pointer);
  return segments[0] === 'content' ? segments : ['content', ...segments];
}

function toTemplate({ binding_id, path, path_template }: BindingSource): PathTemplate {
  const text = path ?? path_template;
  if (text === undefined || (path !== undefined && path_template !== undefined)) {
    throw invalid(`binding ${binding_id}`, 'needs either path or path_template');
  }
  if (path !== undefined && /[{}]/.test(path)) {
    throw invalid(`binding ${binding_id}`, 'has braces in its path: use path_template');
  }
  return checkedTemplate(binding_id, text);
}

function checkedTemplate(bindingId: string, text: string): PathTemplate {
  const fault = findTemplateFault(text) ?? findPathFault(text.replaceAll(/\{\w+\*?\}/g, 'x'));
  if (fault !== undefined)
    throw invalid(`binding ${bindingId}`, `has the path ${JSON.stringify(text)}, which ${fault}`);
  return new PathTemplate(text.normalize('NFC'));
}

function invalid(subject: string, fault: string): Problem {
  return new Problem('INVALID_REQUEST', `The profile cannot be used: ${subject} ${fault}.`, { details: { subject } });
}

export function bindsDocument({ bindings }: Profile, { namespace, path }: DocumentPlace): boolean {
  return bindings.some((binding) => binding.namespace === namespace && binding.template.match(path) !== undefined);
}

export function findBinding(profile: Profile, bindingId: string): Binding {
  const binding = profile.bindings.find((candidate) => candidate.bindingId === bindingId);
  if (binding === undefined) {
    throw new Problem('BINDING_NOT_FOUND', `The profile ${profile.profileId} has no binding ${bindingId}.`);
  }
  return binding;
}
