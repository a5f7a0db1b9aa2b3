// The reference of the web API, made from its OpenAPI description, in English as that is.

import { byId, make, set, write } from "../common/dom.js";
import { get } from "../common/api.js";
import { attempt } from "../common/notify.js";

const METHODS = ["get", "post", "put", "patch", "delete"];
let description;

// Follows a reference such as {"$ref": "#/components/schemas/Move"}.
function resolve(schema) {
  if (!schema?.$ref) return schema ?? {};
  return schema.$ref.slice(2).split("/").reduce((place, key) => place[key], description);
}

function type(schema) {
  if (schema.$ref) {
    const target = resolve(schema);
    return target.properties ? schema.$ref.split("/").at(-1) : type(target);
  }
  const either = schema.anyOf ?? schema.oneOf;
  if (either) return either.map(type).join(" or ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(", ");
  if (schema.type === "array") return `list of ${type(schema.items ?? {})}`;
  return schema.type ?? "anything";
}

const LIMITS = {
  minimum: "at least", maximum: "at most", minLength: "shortest", maxLength: "longest",
  minItems: "fewest", maxItems: "most", pattern: "pattern", default: "default",
};

function limits(schema) {
  const parts = [schema, ...(schema.anyOf ?? [])].map(resolve).flatMap((part) =>
    Object.entries(LIMITS)
      .filter(([key]) => part[key] !== undefined && part[key] !== null)
      .map(([key, word]) => `${word} ${JSON.stringify(part[key])}`));
  return [...new Set(parts)].join("; ");
}

function field(name, schema, required, where = "") {
  const about = resolve(schema);
  const kind = [where, type(schema), required ? "" : "optional"].filter(Boolean).join(", ");
  return [
    make("dt", {}, make("code", {}, name), make("span", { class: "kind" }, ` ${kind}`)),
    make("dd", {}, [schema.description ?? about.description, limits({ ...about, ...schema })]
      .filter(Boolean).join(" · ")),
  ];
}

const heading = (text) => make("h3", {}, text);

const example = (value) =>
  make("pre", {},
    make("code", {}, typeof value === "string" ? value : JSON.stringify(value, null, 2)));

function examples(content = {}) {
  return Object.values(content).flatMap((media) => {
    const named = Object.values(media.examples ?? {}).map((entry) => entry.value ?? entry);
    const own = resolve(media.schema).examples ?? [];
    const found = named.length ? named : media.example !== undefined ? [media.example] : own;
    return found.map(example);
  });
}

function body(operation) {
  const content = operation.requestBody?.content;
  if (!content) return [];
  const schema = resolve(Object.values(content)[0].schema);
  const required = schema.required ?? [];
  const fields = Object.entries(schema.properties ?? {});
  return [
    heading("Body (JSON)"),
    make("dl", {}, ...fields.flatMap(([name, part]) => field(name, part, required.includes(name)))),
    ...examples(content),
  ];
}

function parameters(shared, operation) {
  const all = [...shared, ...(operation.parameters ?? [])].map(resolve);
  if (!all.length) return [];
  const fields = all.flatMap((one) =>
    field(one.name, { description: one.description, ...one.schema }, one.required, one.in));
  return [heading("Parameters"), make("dl", {}, ...fields)];
}

// The fields of a successful answer; errors are described once, at the top.
function responses(operation) {
  const all = Object.entries(operation.responses ?? {});
  if (!all.length) return [];
  return [
    heading("Answers"),
    make("dl", {}, ...all.flatMap(([code, given]) => {
      const { description: text = "", content } = resolve(given);
      return [
        make("dt", {}, make("code", {}, code), " ", text),
        code < "400" ? make("dd", {}, ...answer(content)) : null,
      ].filter(Boolean);
    })),
  ];
}

function answer(content = {}) {
  const schema = resolve(Object.values(content)[0]?.schema);
  const { properties } = schema.type === "array" ? resolve(schema.items) : schema;
  if (!properties) return examples(content);
  const fields = Object.entries(properties).flatMap(([name, part]) => field(name, part, true));
  const many = schema.type === "array" ? [make("p", {}, "A list; each entry has:")] : [];
  return [...many, make("dl", {}, ...fields), ...examples(content)];
}

// A blank line in a description separates paragraphs.
const paragraphs = (text = "") =>
  text.split(/\n\s*\n/).filter(Boolean).map((part) => make("p", {}, part));

function operationOf(method, path, shared, operation) {
  const id = operation.operationId ?? `${method}-${path}`;
  return make("section", { class: "operation", id, "aria-labelledby": `${id}-title` },
    make("h2", { id: `${id}-title` },
      make("span", { class: "method", "data-method": method }, method.toUpperCase()),
      " ", make("code", {}, path)),
    make("p", { class: "summary" }, operation.summary ?? ""),
    ...paragraphs(operation.description),
    ...parameters(shared, operation), ...body(operation), ...responses(operation));
}

description = await attempt(() => get("/api/v1/openapi.json"));
if (description) {
  const operations = Object.entries(description.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) =>
      operationOf(method, path, item.parameters ?? [], item[method])));
  for (const id of ["about", "contents", "operations"]) set(byId(id), "lang", "en");
  byId("about").replaceChildren(...paragraphs(description.info?.description));
  byId("contents").replaceChildren(...operations.map((section) =>
    make("li", {}, make("a", { href: `#${section.id}` },
      section.querySelector("h2")?.textContent))));
  byId("operations").replaceChildren(...operations);
} else {
  write(byId("operations"), "");
}
