//! No two files of a package import each other in a circle.
//!
//! An edge is a `use` or a path from one file to another, followed through `pub use` to where the item is. A module and the
//! modules below it may name each other. Tests are left out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use syn::visit::{self, Visit};

use crate::support::programs::root;

/// Path of a module from the root of its crate; empty for the root.
type Module = Vec<String>;

#[test]
fn no_files_import_each_other_in_a_circle() {
    let libraries = ["src/engine", "src/players", "src/master", "src/checkerboard", "calibrate/src", "samples/web/src"];
    for library in libraries {
        let circles = circles(&root().join(library).join("lib.rs"));
        assert!(circles.is_empty(), "{library}: {circles:#?}");
    }
}

#[test]
fn a_circle_through_a_re_export_is_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file");
    write("lib.rs", "mod a; mod b; pub use a::A;");
    write("a.rs", "use crate::b::B; pub struct A(B);");
    for (text, expected) in [("pub struct B;", 0), ("use super::A; pub struct B(Box<A>);", 1)] {
        write("b.rs", text);
        assert_eq!(circles(&folder.path().join("lib.rs")).len(), expected, "{text}");
    }
}

/// Returns the circles of the crate with this root file, each with the modules in it.
fn circles(root: &Path) -> Vec<Vec<String>> {
    let mut modules = BTreeMap::new();
    read(root, &children_of(root), Vec::new(), &mut modules);
    let edges: BTreeMap<_, BTreeSet<_>> =
        modules.iter().map(|(from, file)| (from.clone(), edges(from, file, &modules))).collect();
    strongly_connected(&edges)
        .into_iter()
        .map(|circle| circle.iter().map(|module| module.join("::")).collect())
        .collect()
}

fn children_of(file: &Path) -> PathBuf {
    let is_front = ["lib", "main", "mod"].iter().any(|name| file.file_stem().is_some_and(|stem| stem == *name));
    if is_front { file.parent().unwrap_or(file).to_path_buf() } else { file.with_extension("") }
}

fn read(file: &Path, children: &Path, module: Module, modules: &mut BTreeMap<Module, syn::File>) {
    let text = std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let mut parsed = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    parsed.items.retain(|item| !is_test(item));
    for item in &parsed.items {
        if let syn::Item::Mod(child) = item
            && child.content.is_none()
        {
            let name = child.ident.to_string();
            let below = children.join(&name);
            let path = below.with_extension("rs");
            let path = if path.exists() { path } else { below.join("mod.rs") };
            read(&path, &below, [&module[..], &[name]].concat(), modules);
        }
    }
    modules.insert(module, parsed);
}

fn is_test(item: &syn::Item) -> bool {
    let attributes = match item {
        syn::Item::Mod(item) => &item.attrs,
        syn::Item::Fn(item) => &item.attrs,
        syn::Item::Use(item) => &item.attrs,
        syn::Item::Impl(item) => &item.attrs,
        _ => return false,
    };
    attributes.iter().any(|attribute| {
        matches!(&attribute.meta, syn::Meta::List(list) if list.path.is_ident("cfg") && list.tokens.to_string() == "test")
    })
}

/// Collects paths that begin with `crate`, `super` or `self`.
struct Paths(Vec<Vec<String>>);

impl<'ast> Visit<'ast> for Paths {
    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        leaves(&item.tree, &mut Vec::new(), &mut self.0);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.0.push(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        visit::visit_path(self, path);
    }
}

fn leaves(tree: &syn::UseTree, path: &mut Vec<String>, found: &mut Vec<Vec<String>>) {
    match tree {
        syn::UseTree::Path(tree) => {
            path.push(tree.ident.to_string());
            leaves(&tree.tree, path, found);
            path.pop();
        }
        syn::UseTree::Name(name) => found.push([&path[..], &[name.ident.to_string()]].concat()),
        syn::UseTree::Rename(name) => found.push([&path[..], &[name.ident.to_string()]].concat()),
        syn::UseTree::Glob(_) => found.push(path.clone()),
        syn::UseTree::Group(group) => group.items.iter().for_each(|tree| leaves(tree, path, found)),
    }
}

fn edges(from: &Module, file: &syn::File, modules: &BTreeMap<Module, syn::File>) -> BTreeSet<Module> {
    let mut paths = Paths(Vec::new());
    paths.visit_file(file);
    let targets = paths.0.iter().filter_map(|path| Some(target(&absolute(from, path)?, modules, 0)));
    targets.filter(|to| !to.starts_with(from) && !from.starts_with(to)).collect()
}

/// Path from the root of the crate; `None` for a path that begins elsewhere.
fn absolute(from: &Module, path: &[String]) -> Option<Vec<String>> {
    let ups = path.iter().take_while(|name| *name == "super").count();
    match path.first()?.as_str() {
        "crate" => Some(path[1..].to_vec()),
        "self" => Some([from, &path[1..]].concat()),
        "super" if ups <= from.len() => Some([&from[..from.len() - ups], &path[ups..]].concat()),
        _ => None,
    }
}

/// Module that has the item at this path, through re-exports.
fn target(path: &[String], modules: &BTreeMap<Module, syn::File>, depth: usize) -> Module {
    let known = (0..=path.len()).rev().find(|&n| modules.contains_key(&path[..n])).unwrap_or(0);
    let module = path[..known].to_vec();
    let Some(name) = path.get(known).filter(|_| depth < 8) else { return module };
    for item in &modules[&module].items {
        let syn::Item::Use(item) = item else { continue };
        let mut found = Vec::new();
        leaves(&item.tree, &mut Vec::new(), &mut found);
        if let Some(origin) = found.iter().find(|origin| origin.last() == Some(name)) {
            let child = [&module[..], origin].concat();
            let origin =
                absolute(&module, origin).or_else(|| modules.contains_key(&child[..=module.len()]).then_some(child));
            if let Some(origin) = origin {
                return target(&[&origin[..], &path[known + 1..]].concat(), modules, depth + 1);
            }
        }
    }
    module
}

/// Sets of two and more modules of which each leads to each other one.
fn strongly_connected(edges: &BTreeMap<Module, BTreeSet<Module>>) -> Vec<Vec<Module>> {
    let reachable: BTreeMap<_, _> = edges
        .keys()
        .map(|from| {
            let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
            while let Some(module) = open.pop() {
                open.extend(edges[module].iter().filter(|to| seen.insert(*to)));
            }
            (from, seen)
        })
        .collect();
    let circle_of = |module| -> Vec<Module> {
        reachable[module].iter().filter(|to| reachable[*to].contains(module)).map(|to| (*to).clone()).collect()
    };
    edges.keys().map(circle_of).filter(|circle| circle.len() > 1).collect::<BTreeSet<_>>().into_iter().collect()
}
